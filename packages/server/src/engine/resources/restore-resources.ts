import { createHash } from 'node:crypto';
import type { ArtifactOwner } from '../../ports/artifact-store.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored } from '../memories/remember.js';
import { inTransaction } from '../outer/in-transaction.js';
import type { OuterArtifacts } from '../outer/outer-artifacts.js';
import { confirmResource } from './confirm-resource.js';
import { cutFile, storeCutFile } from './cut-file.js';
import { pieceBytes, removeOut, toldKey } from './resource-file.js';
import { fromResourceText, type ToldResource } from './resource-text.js';

const rowsAtATime = 100;

/**
 * Resources of a user from what the outer store has: their files are read anew. Those it does not have are brought there if their
 * files are still in the database, and are removed if not.
 */
export async function restoreResources(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  for await (const { name } of outer.store.list(owner, 'resource')) await restoreResource(engine, outer, owner, name);
  let before: { at: Date; id: string } | undefined;
  for (;;) {
    const page = await inTransaction(engine, owner, (tables) =>
      tables.resources.list({}, { before, limit: rowsAtATime }),
    );
    for (const resource of page) await confirmResource(engine, outer, owner, resource);
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtATime) return;
    before = { at: last.createdAt, id: last.resourceId };
  }
}

async function restoreResource(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<void> {
  if ((await inTransaction(engine, owner, (tables) => tables.resources.get(resourceId))) !== undefined) return;
  const told = await readTold(outer, owner, resourceId);
  const read = told && (await readAgain(engine, outer, owner, told));
  if (told === undefined || read === undefined) {
    engine.onFault(new Error(`resource ${resourceId} is not as Memhall wrote it`), 'restore a resource');
    return;
  }
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.restore');
  const cut = await cutFile(engine, caller, told, read);
  await inTransaction(engine, owner, async (tables) => {
    const [same, other, still] = await Promise.all([
      tables.resources.get(resourceId),
      tables.resources.findByContent(told.contentHash),
      outer.store.get(owner, toldKey(resourceId)),
    ]);
    if (same !== undefined || still === undefined) return;
    // An upload that was never finished, and repeated.
    if (other !== undefined) await removeOut(outer, owner, resourceId);
    else await storeCutFile(tables, caller, cut);
  });
  for (const batch of cut.batches) noteStored(engine, caller, batch);
}

async function readTold(
  { store }: OuterArtifacts,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<ToldResource | undefined> {
  const stored = await store.get(owner, toldKey(resourceId));
  return stored && fromResourceText(resourceId, stored.text);
}

/** undefined: the file is not there, or not the one that was uploaded. */
async function readAgain(engine: Engine, { store }: OuterArtifacts, owner: ArtifactOwner, told: ToldResource) {
  const pieces = await store.openFile(owner, told.resourceId, pieceBytes);
  if (pieces === undefined) return undefined;
  const hash = createHash('sha256');
  const read = await engine.files.readPieces(hashing(pieces, hash));
  return hash.digest('hex') === told.contentHash ? read : undefined;
}

async function* hashing(
  pieces: AsyncIterable<Buffer>,
  hash: { update(piece: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
