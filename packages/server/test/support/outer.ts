import type { Engine } from '../../src/engine/engine.js';
import { OuterStore } from '../../src/outer/outer-store.js';
import type { ArtifactOwner, ArtifactStore } from '../../src/ports/artifact-store.js';
import { pieceBytes } from '../../src/ports/resource-files.js';

export function outerOf({ store }: Engine): OuterStore {
  if (!(store instanceof OuterStore)) throw new Error('there is no outer store');
  return store;
}

/** Returns an engine on the same database that uses the given blobs. */
export function withBlobs(engine: Engine, blobs: ArtifactStore): Engine {
  const store = new OuterStore(outerOf(engine).database, blobs, engine);
  return { ...engine, store, resourceFiles: store.files };
}

/** Opens the file of a resource, in the database or in the outer store. */
export async function openFile(
  { store }: Engine,
  { tenantId, userId }: ArtifactOwner,
  resourceId: string,
): Promise<AsyncIterable<Buffer> | undefined> {
  const owner = { tenantId, userId };
  const pieces: Buffer[] = [];
  await store.read(owner, async ({ resources }) => {
    for (let piece = await resources.piece(resourceId, 0); piece !== undefined; ) {
      pieces.push(piece);
      piece = await resources.piece(resourceId, pieces.length);
    }
  });
  if (pieces.length === 0) {
    return store instanceof OuterStore ? store.blobs.openFile(owner, resourceId, pieceBytes) : undefined;
  }
  return (async function* () {
    yield* pieces;
  })();
}
