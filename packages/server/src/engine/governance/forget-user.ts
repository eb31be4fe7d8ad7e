import { uuidv7 } from '@memhall/core';
import type { Counts } from '../../ports/erasure.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eraseOuter } from '../outer/erase-outer.js';
import { forgetWritten } from '../tiers/forget-written.js';
import { dropCaches } from './drop-caches.js';
import { refuseIfHeld } from './legal-holds.js';
import { type FinishedReceipt, issueReceipt } from './receipt.js';

export interface ForgottenUser extends FinishedReceipt {
  /** Texts in workspaces of others that the user alone wrote. */
  sharedTexts: number;
}

/**
 * Removes all that is kept of the caller's user, in one transaction: all of it goes, or nothing. Writes that came in before it
 * took effect are removed with the rest or refused, also those that wait or are being prepared; what comes in later is
 * a new beginning. Where artifacts live in an outer store, those go last, and a failure among them leaves the rest for
 * another try. What the user wrote into tiers of other workspaces goes after, text by text; each is on record there, and
 * the same call again goes on where one ended. Throws LEGAL_HOLD.
 */
export async function forgetUser(engine: Engine, caller: Caller): Promise<ForgottenUser> {
  const { tenantId, userId } = caller;
  const startedAt = engine.clock.now();
  const receipt = await engine.store.erase({ tenantId, userId }, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(userId));
    const counts = await removeUser(engine, tables, { tenantId, userId });
    const id = uuidv7(startedAt.getTime());
    return issueReceipt(tables, caller, { id, userId, startedAt, finishedAt: engine.clock.now(), counts });
  });
  engine.outer?.noteUncopied({ tenantId, userId: '' });
  dropCaches(engine, tenantId, userId);
  return { ...receipt, sharedTexts: await forgetWritten(engine, caller) };
}

/** In the user's own erasing transaction. */
export async function removeUser(
  engine: Engine,
  tables: Tables,
  owner: { tenantId: string; userId: string },
): Promise<Counts> {
  const counts = await tables.erasure.removeUser();
  return engine.outer === null ? counts : { ...counts, blobs: await eraseOuter(engine.outer, owner) };
}
