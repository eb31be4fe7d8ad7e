import { createHash } from 'node:crypto';
import { systemCaller } from '../engine/caller.js';
import { noteStored } from '../engine/memories/remember.js';
import { cutFile, storeCutFile } from '../engine/resources/cut-file.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import { pieceBytes } from '../ports/resource-files.js';
import type { ResourceDescription } from '../ports/resources.js';
import { confirmResource } from './confirm-resource.js';
import type { Outer } from './outer.js';
import { descriptionKey, removeResourceBlobs } from './resource-keys.js';
import { fromResourceText } from './resource-text.js';

const rowsAtATime = 100;

/** Restores the resources of a user by reading their files again. Checks that the outer store has all resources of the database. */
export async function restoreResources(outer: Outer, owner: ArtifactOwner): Promise<void> {
  for await (const { name } of outer.blobs.list(owner, 'resource')) await restoreResource(outer, owner, name);
  let before: { at: Date; id: string } | undefined;
  for (;;) {
    const page = await outer.database.read(owner, (tables) =>
      tables.resources.list({}, { before, limit: rowsAtATime }),
    );
    for (const resource of page) await confirmResource(outer, owner, resource);
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtATime) return;
    before = { at: last.createdAt, id: last.resourceId };
  }
}

async function restoreResource(outer: Outer, owner: ArtifactOwner, resourceId: string): Promise<void> {
  const { blobs, database, engine } = outer;
  if ((await database.read(owner, (tables) => tables.resources.get(resourceId))) !== undefined) return;
  const description = await readDescription(outer, owner, resourceId);
  const read = description && (await readFile(outer, owner, description));
  if (description === undefined || read === undefined) {
    engine.onFault(new Error(`resource ${resourceId} is not as Memhall wrote it`), 'restore a resource');
    return;
  }
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.restore');
  const uploaded = { surface: 'gateway', author: owner.userId, trust: 'tool' } as const;
  const cut = await cutFile(engine, caller, description, read, uploaded);
  await database.write(owner, async (tables) => {
    const [same, other, stored] = await Promise.all([
      tables.resources.get(resourceId),
      tables.resources.findByContent(description.contentHash),
      blobs.get(owner, descriptionKey(resourceId)),
    ]);
    if (same !== undefined || stored === undefined) return;
    // An upload that was never finished, and then repeated.
    if (other !== undefined) await removeResourceBlobs(blobs, owner, resourceId);
    else await storeCutFile(tables, caller, cut);
  });
  for (const batch of cut.batches) noteStored(engine, caller, batch);
}

async function readDescription(
  { blobs }: Outer,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<ResourceDescription | undefined> {
  const stored = await blobs.get(owner, descriptionKey(resourceId));
  return stored && fromResourceText(resourceId, stored.text);
}

/** Returns undefined if the file is missing, or is not the one that was uploaded. */
async function readFile({ blobs, engine }: Outer, owner: ArtifactOwner, description: ResourceDescription) {
  const pieces = await blobs.openFile(owner, description.resourceId, pieceBytes);
  if (pieces === undefined) return undefined;
  const hash = createHash('sha256');
  const read = await engine.fileReader.readPieces(hashing(pieces, hash));
  return hash.digest('hex') === description.contentHash ? read : undefined;
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
