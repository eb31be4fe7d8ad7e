import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Resource } from '../../ports/resources.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { attemptOuter } from '../outer/attempt-outer.js';
import { inTransaction } from '../outer/in-transaction.js';
import type { OuterArtifacts } from '../outer/outer-artifacts.js';
import { removeResource } from './remove-resource.js';
import { openFile, removeOut, sendOut, toldKey } from './resource-file.js';

/** Brings a resource to the outer store whose file is still in the database; one that is in neither goes. */
export async function confirmResource(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  resource: Resource,
): Promise<void> {
  const { resourceId } = resource;
  if ((await outer.store.get(owner, toldKey(resourceId))) !== undefined) return;
  const firstPiece = await inTransaction(engine, owner, (tables) => tables.resources.piece(resourceId, 0));
  if (firstPiece === undefined) await adoptRemoval(engine, outer, owner, resourceId);
  else await bringOut(engine, outer, owner, resource);
}

async function bringOut(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  resource: Resource,
): Promise<void> {
  const { resourceId } = resource;
  const pieces = await openFile(engine, owner, resourceId);
  if (pieces === undefined) return;
  const coming = await sendOut(outer, owner, resource, pieces);
  const isThere = await inTransaction(engine, owner, async (tables) => {
    if ((await tables.resources.get(resourceId)) === undefined) return false;
    tables.resources.deletePieces(resourceId);
    await tables.flushed();
    await coming.beforeCommit?.();
    return true;
  });
  if (!isThere) await coming.discard();
}

/** It was in the outer store and is no more: a removal that was not finished, or somebody's who may. */
async function adoptRemoval(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<void> {
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.adopt');
  await attemptOuter(engine, outer, caller, async (tables) => {
    const unchanged = { result: undefined, mutations: [] };
    if ((await tables.resources.get(resourceId)) === undefined) return unchanged;
    // An upload that ended meanwhile has put it.
    if ((await outer.store.get(owner, toldKey(resourceId))) !== undefined) return unchanged;
    const mutation = removeResource(tables, owner.userId, resourceId);
    return { result: undefined, mutations: [mutation], beforeCommit: () => removeOut(outer, owner, resourceId) };
  });
}
