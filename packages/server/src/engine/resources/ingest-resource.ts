import { Problem, ulid } from '@memhall/core';
import type { Resource } from '../../ports/resources.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored } from '../memories/remember.js';
import { ownerOf } from '../outer/attempt-outer.js';
import { type CutFile, cutFile, storeCutFile } from './cut-file.js';
import { isWorthAnotherTry, updateReading } from './read-again.js';
import { toResourceMutation } from './resource-chunks.js';
import { type ComingFile, sendFile } from './resource-file.js';
import { noteUpload } from './unfinished-uploads.js';

/** A file as it came in. */
export interface IncomingFile {
  /** Where it is for now. */
  path: string;
  name: string | null;
  sizeBytes: number;
  /** SHA-256, hexadecimal. */
  contentHash: string;
  pieces(sizeBytes: number): AsyncIterable<Buffer>;
}

export type ResourceAbout = Pick<Resource, 'title' | 'description' | 'appId' | 'projectId'>;

/**
 * Keeps a file and makes its text recallable. The same bytes again are the same resource, as it is; only a file that took too
 * long is read again. A file that cannot be read is kept too, and says why. Throws UNSUPPORTED_MEDIA_TYPE; nothing is stored then.
 */
export async function ingestResource(
  engine: Engine,
  caller: Caller,
  file: IncomingFile,
  about: ResourceAbout,
): Promise<Resource> {
  const present = await engine.store.read(scopeOf(caller), (tables) =>
    tables.resources.findByContent(file.contentHash),
  );
  if (present !== undefined && !isWorthAnotherTry(present)) return present;
  const now = engine.clock.now();
  const read = await engine.files.read(file.path);
  if (read.mediaType === null) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send text, Markdown, HTML, CSV, JSON, PDF or DOCX.');
  }
  if (present !== undefined) return updateReading(engine, caller, present, read);
  const told = {
    ...about,
    resourceId: `r_${ulid(now.getTime())}`,
    fileName: file.name,
    mediaType: read.mediaType,
    sizeBytes: file.sizeBytes,
    contentHash: file.contentHash,
    createdAt: now,
  };
  const cut = await cutFile(engine, caller, told, read);
  const stored = await storeResource(engine, caller, cut, file);
  if (stored === cut.resource) for (const batch of cut.batches) noteStored(engine, caller, batch);
  return stored;
}

/** Answers the resource that is there: this one, or an earlier one of the same bytes. */
async function storeResource(engine: Engine, caller: Caller, cut: CutFile, file: IncomingFile): Promise<Resource> {
  const { resource } = cut;
  const owner = ownerOf(caller);
  await noteUpload(engine, owner, resource.resourceId);
  const coming = await sendFile(engine, owner, resource, file.pieces);
  let isCommitting = false;
  try {
    const stored = await mutate(engine, caller, async (tables) => {
      const other = await tables.resources.findByContent(resource.contentHash);
      if (other !== undefined) return { result: other, mutations: [] };
      await storeCutFile(tables, caller, cut);
      await coming.store(tables);
      const beforeCommit = async () => {
        isCommitting = true;
        await coming.beforeCommit?.();
      };
      return { result: resource, mutations: [toResourceMutation(resource)], beforeCommit };
    });
    if (stored !== resource) await discard(engine, coming);
    return stored;
  } catch (error) {
    // Whether a COMMIT that failed took effect is not known here: the job looks later.
    if (!isCommitting) await discard(engine, coming);
    throw error;
  }
}

/** Nobody waits for it: what is left, the job removes. */
async function discard(engine: Engine, coming: ComingFile): Promise<void> {
  try {
    await coming.discard();
  } catch (error) {
    engine.onFault(error, 'discarding a file');
  }
}
