import { recordMutations, type Work } from '../engine/audit/mutate.js';
import { scopeOf, systemCaller } from '../engine/caller.js';
import { tellRemoved } from '../engine/memories/memory-watcher.js';
import { removeResource } from '../engine/resources/remove-resource.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Resource } from '../ports/resources.js';
import { attemptWrite } from './attempt-write.js';
import type { Outer } from './outer.js';
import { descriptionKey } from './resource-keys.js';

/** Moves a resource to the outer store if its file is still in the database. Removes it if the file is in neither. */
export async function confirmResource(outer: Outer, owner: ArtifactOwner, resource: Resource): Promise<void> {
  const { resourceId } = resource;
  if ((await outer.blobs.get(owner, descriptionKey(resourceId))) !== undefined) return;
  const first = await readPiece(outer, owner, resourceId, 0);
  if (first === undefined) await adoptRemoval(outer, owner, resourceId);
  else await moveOut(outer, owner, resource, first);
}

async function moveOut(outer: Outer, owner: ArtifactOwner, resource: Resource, first: Buffer): Promise<void> {
  const { resourceId } = resource;
  const staged = await outer.files.stage(owner, resourceId, () => piecesFrom(outer, owner, resourceId, first));
  try {
    await outer.database.write(owner, async (tables) => {
      if ((await tables.resources.get(resourceId)) === undefined) return;
      tables.resources.deletePieces(resourceId);
      await tables.flushed();
      await outer.files.keep(owner, resource);
    });
  } finally {
    await staged.release();
  }
}

/** The resource was in the outer store and is no longer: its removal was not finished, or it was deleted there on purpose. */
async function adoptRemoval(outer: Outer, owner: ArtifactOwner, resourceId: string): Promise<void> {
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.adopt');
  const work: Work<void> = async (tables, now) => {
    const unchanged = { result: undefined, mutations: [] };
    if ((await tables.resources.get(resourceId)) === undefined) return unchanged;
    // An upload may have put it in the meantime.
    if ((await outer.blobs.get(owner, descriptionKey(resourceId))) !== undefined) return unchanged;
    const { mutation, memoryIds } = await removeResource(tables, owner.userId, resourceId);
    return { result: undefined, mutations: [mutation, ...(await tellRemoved(outer.engine, tables, memoryIds, now))] };
  };
  await attemptWrite(outer, scopeOf(caller), (tables) => recordMutations(outer.engine, caller, tables, work));
}

async function* piecesFrom(
  outer: Outer,
  owner: ArtifactOwner,
  resourceId: string,
  first: Buffer,
): AsyncGenerator<Buffer> {
  let number = 0;
  for (let piece: Buffer | undefined = first; piece !== undefined; ) {
    yield piece;
    piece = await readPiece(outer, owner, resourceId, ++number);
  }
}

function readPiece(
  { database }: Outer,
  owner: ArtifactOwner,
  resourceId: string,
  number: number,
): Promise<Buffer | undefined> {
  return database.read(owner, (tables) => tables.resources.piece(resourceId, number));
}
