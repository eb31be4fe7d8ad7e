import { text as readText } from 'node:stream/consumers';
import type { BlobGetPropertiesResponse, BlobRequestConditions, ContainerClient } from '@azure/storage-blob';
import { Problem, uuidv7 } from '@memhall/core';
import type {
  ArtifactOwner,
  ArtifactStore,
  StagedFile,
  StoredArtifact,
  StoredCondition,
  StoredContent,
  StoredKey,
  StoredKind,
  StoredName,
} from '../../ports/artifact-store.js';
import { isConditionFailure, isMissing, isUnchanged, toStoreError } from './azure-blob-faults.js';
import { AzureBlobFiles } from './azure-blob-files.js';
import { readFacts, toMetadata } from './blob-metadata.js';
import { decodePart, fromBlobName, kindPrefix, tenantsPrefix, toBlobName, usersPrefix } from './blob-names.js';

const identityName = 'memhall.json';

interface AzureBlobOptions {
  container: ContainerClient;
  /** For one call including its retries. */
  timeoutMs: number;
  /** Names per page, up to 5000. */
  pageSize?: number | undefined;
}

/** Stores artifacts as blobs of one container, under `tenants/{tenant}/users/{user}/…`. */
export class AzureBlobArtifactStore implements ArtifactStore {
  readonly #container: ContainerClient;
  readonly #files: AzureBlobFiles;
  readonly #timeoutMs: number;
  readonly #pageSize: number;

  constructor({ container, timeoutMs, pageSize = 5000 }: AzureBlobOptions) {
    this.#container = container;
    this.#files = new AzureBlobFiles({ container, timeoutMs });
    this.#timeoutMs = timeoutMs;
    this.#pageSize = pageSize;
  }

  get(owner: ArtifactOwner, key: StoredKey): Promise<StoredArtifact | undefined>;
  get(owner: ArtifactOwner, key: StoredKey, unless: string): Promise<StoredArtifact | 'unchanged' | undefined>;
  get(owner: ArtifactOwner, key: StoredKey, unless?: string): Promise<StoredArtifact | 'unchanged' | undefined> {
    return this.#read(toBlobName(owner, key), unless);
  }

  put(owner: ArtifactOwner, key: StoredKey, content: StoredContent, condition?: StoredCondition): Promise<string> {
    return this.#write(toBlobName(owner, key), content, condition);
  }

  async delete(owner: ArtifactOwner, key: StoredKey, condition?: { tag: string }): Promise<void> {
    const blobName = toBlobName(owner, key);
    if (key.kind === 'file') return this.#files.remove(blobName);
    try {
      const conditions = toConditions(condition);
      await this.#container.getBlobClient(blobName).delete({ abortSignal: this.#deadline(), conditions });
    } catch (error) {
      if (isMissing(error)) return;
      if (!isConditionFailure(error)) throw toStoreError(error);
      if ((await this.#properties(blobName)) !== undefined) throw mismatch();
    }
  }

  stageFile(owner: ArtifactOwner, name: string, pieces: AsyncIterable<Buffer>): Promise<StagedFile> {
    return this.#files.stage(toBlobName(owner, toFileKey(name)), pieces);
  }

  openFile(owner: ArtifactOwner, name: string, pieceBytes: number): Promise<AsyncIterable<Buffer> | undefined> {
    return this.#files.open(toBlobName(owner, toFileKey(name)), pieceBytes);
  }

  async *list(owner: ArtifactOwner, kind: StoredKind): AsyncIterable<StoredName> {
    const pages = this.#container
      .listBlobsFlat({ prefix: kindPrefix(owner, kind), includeUncommitedBlobs: kind === 'file' })
      .byPage({ maxPageSize: this.#pageSize });
    for await (const { segment } of asStoreErrors(pages)) {
      for (const { name, properties } of segment.blobItems) {
        const key = fromBlobName(owner, kind, name);
        if (key === undefined) continue;
        yield { folder: key.folder, name: key.name, tag: quoted(properties.etag) };
      }
    }
  }

  tenants(): AsyncIterable<string> {
    return this.#partsUnder(tenantsPrefix);
  }

  users(tenantId: string): AsyncIterable<string> {
    return this.#partsUnder(usersPrefix(tenantId));
  }

  async identity(): Promise<string> {
    const known = await this.#read(identityName);
    if (known !== undefined && known !== 'unchanged') return (JSON.parse(known.text) as { store_id: string }).store_id;
    const content = { text: JSON.stringify({ store_id: uuidv7() }), facts: null };
    try {
      await this.#write(identityName, content, 'absent');
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'ETAG_MISMATCH')) throw error;
    }
    return this.identity();
  }

  async *#partsUnder(prefix: string): AsyncIterable<string> {
    const pages = this.#container.listBlobsByHierarchy('/', { prefix }).byPage({ maxPageSize: this.#pageSize });
    for await (const { segment } of asStoreErrors(pages)) {
      for (const { name } of segment.blobPrefixes ?? []) {
        const part = decodePart(name.slice(prefix.length, -1));
        if (part !== undefined) yield part;
      }
    }
  }

  async #read(blobName: string, unless?: string): Promise<StoredArtifact | 'unchanged' | undefined> {
    const conditions = unless === undefined ? {} : { ifNoneMatch: unless };
    try {
      const blob = this.#container.getBlobClient(blobName);
      const answer = await blob.download(0, undefined, { abortSignal: this.#deadline(), conditions });
      const text = await readText(answer.readableStreamBody as NodeJS.ReadableStream);
      return { text, tag: quoted(answer.etag), facts: readFacts(text, answer.metadata) };
    } catch (error) {
      if (isUnchanged(error)) return 'unchanged';
      if (isMissing(error)) return undefined;
      throw toStoreError(error);
    }
  }

  async #write(blobName: string, content: StoredContent, condition: StoredCondition | undefined): Promise<string> {
    const blob = this.#container.getBlockBlobClient(blobName);
    const writeId = uuidv7();
    try {
      const { etag } = await blob.upload(content.text, Buffer.byteLength(content.text), {
        abortSignal: this.#deadline(),
        conditions: toConditions(condition),
        blobHTTPHeaders: { blobContentType: 'application/json' },
        metadata: { write: writeId, ...toMetadata(content) },
      });
      return quoted(etag);
    } catch (error) {
      if (!isConditionFailure(error)) throw toStoreError(error);
      // An attempt whose response was lost may have succeeded. The retry then finds its own blob, which is not a
      // mismatch.
      const present = await this.#properties(blobName);
      if (present?.metadata?.write !== writeId) throw mismatch();
      return quoted(present.etag);
    }
  }

  async #properties(blobName: string): Promise<BlobGetPropertiesResponse | undefined> {
    try {
      return await this.#container.getBlobClient(blobName).getProperties({ abortSignal: this.#deadline() });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw toStoreError(error);
    }
  }

  #deadline(): AbortSignal {
    return AbortSignal.timeout(this.#timeoutMs);
  }
}

function toFileKey(name: string): StoredKey {
  return { kind: 'file', folder: '', name };
}

function mismatch(): Problem {
  return new Problem('ETAG_MISMATCH', 'The artifact was changed by someone else.');
}

function toConditions(condition: StoredCondition | undefined): BlobRequestConditions {
  if (condition === undefined) return {};
  return condition === 'absent' ? { ifNoneMatch: '*' } : { ifMatch: condition.tag };
}

/** Listings contain tags without quotes, responses contain them with quotes. */
function quoted(tag: string | undefined): string {
  if (tag === undefined) throw new Error('the response of the service has no tag');
  return tag.startsWith('"') ? tag : `"${tag}"`;
}

async function* asStoreErrors<T>(pages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* pages;
  } catch (error) {
    throw toStoreError(error);
  }
}
