import { Problem } from '@memhall/core';
import { systemCaller } from '../engine/caller.js';
import { parseDocumentRecord } from '../engine/documents/document-record.js';
import { forgetAuthor } from '../engine/governance/forget-author.js';
import { forgetElsewhere } from '../engine/governance/forget-elsewhere.js';
import { peerKeyOf, peerOf } from '../engine/tier-path.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { JournalEntry } from './journal.js';
import type { Outer } from './outer.js';

/**
 * Removes texts about people, and words by people, who were erased after the change was decided, while only the journal had it, so that
 * the erasure could not see it. Leaves them if the owner is held.
 */
export async function forgetLate(
  outer: Outer,
  owner: ArtifactOwner,
  { at, changes, records }: JournalEntry,
): Promise<void> {
  const { tenantId, userId } = owner;
  for (const { key, put } of changes) {
    const place = { namespace: key.folder, path: key.name };
    const peer = key.kind === 'document' && put !== null ? peerOf(place) : undefined;
    const receiptId = peer === undefined ? undefined : await receiptOf(outer, tenantId, peer, at);
    if (receiptId === undefined) continue;
    const caller = systemCaller(tenantId, userId, 'users.forget');
    await unlessHeld(forgetElsewhere(outer.engine, caller, [{ ...place, userId }], receiptId));
  }
  for (const author of authorsOf(records, userId)) {
    const receiptId = await receiptOf(outer, tenantId, peerKeyOf(author), at, author);
    if (receiptId === undefined) continue;
    const places = await outer.database.inspect(tenantId, (tables) => tables.erasure.authoredElsewhere(author));
    const own = places.filter((place) => place.userId === userId);
    await unlessHeld(forgetAuthor(outer.engine, systemCaller(tenantId, author, 'users.forget'), own, receiptId));
  }
}

/** Returns the users who wrote documents of somebody else. */
function authorsOf(records: readonly string[], ownerId: string): Set<string> {
  const written = records.map((record) => parseDocumentRecord({ record })).filter((one) => one.ops !== undefined);
  return new Set(written.flatMap(({ actor }) => (actor.user_id === ownerId ? [] : (actor.user_id ?? []))));
}

/** Two people can have the same key; `userId` demands one of them. */
function receiptOf({ database }: Outer, tenantId: string, peer: string, since: Date, userId?: string) {
  return database.inspect(tenantId, async (tables) => {
    const id = await tables.receipts.latestOfPeer(peer, since);
    const receipt = id === undefined ? undefined : await tables.receipts.get(id);
    return userId === undefined || receipt?.userId === userId ? id : undefined;
  });
}

async function unlessHeld(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'LEGAL_HOLD')) throw error;
  });
}
