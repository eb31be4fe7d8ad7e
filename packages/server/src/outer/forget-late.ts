import { Problem } from '@memhall/core';
import { systemCaller } from '../engine/caller.js';
import { forgetElsewhere } from '../engine/governance/forget-elsewhere.js';
import { peerOf } from '../engine/tier-path.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { JournalEntry } from './journal.js';
import type { Outer } from './outer.js';

/**
 * Removes texts about people who were erased after the change was decided, while only the journal had it, so that the erasure could
 * not see it. Leaves them if the owner is held.
 */
export async function forgetLate(
  { database, engine }: Outer,
  { tenantId, userId }: ArtifactOwner,
  { at, changes }: JournalEntry,
): Promise<void> {
  for (const { key, put } of changes) {
    const place = { namespace: key.folder, path: key.name };
    const peer = key.kind === 'document' && put !== null ? peerOf(place) : undefined;
    if (peer === undefined) continue;
    const receiptId = await database.inspect(tenantId, (tables) => tables.receipts.latestOfPeer(peer, at));
    if (receiptId === undefined) continue;
    const caller = systemCaller(tenantId, userId, 'users.forget');
    await forgetElsewhere(engine, caller, [{ ...place, userId }], receiptId).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'LEGAL_HOLD')) throw error;
    });
  }
}
