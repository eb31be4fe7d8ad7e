import type { ArtifactOwner, StoredKey } from '../../ports/artifact-store.js';
import type { Resource } from '../../ports/resources.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import type { OuterArtifacts } from '../outer/outer-artifacts.js';
import { toResourceText } from './resource-text.js';

export const pieceBytes = 1024 * 1024;

/** The bytes of a resource on their way to where they are kept. */
export interface ComingFile {
  /** Rows of it, in the transaction that adds the resource. */
  store(tables: Tables): Promise<void>;
  /** What there is to do where files live outside of the database. */
  beforeCommit?: (() => Promise<void>) | undefined;
  /** The resource is not added after all. */
  discard(): Promise<void>;
}

/** Sends a file where files live: into the outer store, or with the transaction into the database. */
export async function sendFile(
  { outer }: Engine,
  owner: ArtifactOwner,
  resource: Resource,
  pieces: (sizeBytes: number) => AsyncIterable<Buffer>,
): Promise<ComingFile> {
  if (outer !== null) return sendOut(outer, owner, resource, pieces(pieceBytes));
  return {
    async store(tables) {
      let number = 0;
      for await (const bytes of pieces(pieceBytes))
        await tables.resources.addPiece(resource.resourceId, number++, bytes);
    },
    discard: async () => undefined,
  };
}

/** The file first: what is told of it says that it is there. */
export async function sendOut(
  { store }: OuterArtifacts,
  owner: ArtifactOwner,
  resource: Resource,
  pieces: AsyncIterable<Buffer>,
): Promise<ComingFile> {
  const staged = await store.stageFile(owner, resource.resourceId, pieces);
  return {
    store: async () => undefined,
    async beforeCommit() {
      await staged.keep();
      await store.put(owner, toldKey(resource.resourceId), { text: toResourceText(resource), facts: null });
    },
    discard: () => staged.discard(),
  };
}

/** The bytes of a resource, in pieces of 1 MiB and a last one; undefined: they are not there. */
export async function openFile(
  engine: Engine,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<AsyncIterable<Buffer> | undefined> {
  const first = await readPiece(engine, owner, resourceId, 0);
  if (first !== undefined) return rowsFrom(engine, owner, resourceId, first);
  return engine.outer?.store.openFile(owner, resourceId, pieceBytes);
}

/** Out of the outer store, the file last. Nothing where there is none. */
export async function removeOut({ store }: OuterArtifacts, owner: ArtifactOwner, resourceId: string): Promise<void> {
  for (const key of outerKeysOf(resourceId)) await store.delete(owner, key);
}

/** All that the outer store has of a resource, in the order in which it goes. */
export function outerKeysOf(resourceId: string): StoredKey[] {
  return [toldKey(resourceId), { kind: 'file', folder: '', name: resourceId }];
}

/** Where the outer store has what is told of a resource. */
export function toldKey(resourceId: string): StoredKey {
  return { kind: 'resource', folder: '', name: resourceId };
}

async function* rowsFrom(
  engine: Engine,
  owner: ArtifactOwner,
  resourceId: string,
  first: Buffer,
): AsyncGenerator<Buffer> {
  let number = 0;
  for (let piece: Buffer | undefined = first; piece !== undefined; ) {
    yield piece;
    piece = await readPiece(engine, owner, resourceId, ++number);
  }
}

/** Each in a transaction of its own: whoever reads may take long over it. */
function readPiece(
  { store }: Engine,
  { tenantId, userId }: ArtifactOwner,
  resourceId: string,
  number: number,
): Promise<Buffer | undefined> {
  return store.read({ tenantId, userId }, (tables) => tables.resources.piece(resourceId, number));
}
