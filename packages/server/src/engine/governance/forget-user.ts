import { uuidv7 } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { forgetWritten } from '../tiers/forget-written.js';
import { dropCaches } from './drop-caches.js';
import { refuseIfHeld } from './legal-holds.js';
import { type FinishedReceipt, issueReceipt } from './receipt.js';

interface ForgottenUser extends FinishedReceipt {
  /** Number of texts in other users' workspaces that this user alone wrote. */
  sharedTexts: number;
}

/**
 * Removes everything that is stored of the caller's user, in one transaction. Writes that came in before it took effect are
 * removed or refused, even if they were still waiting. Later writes start from nothing. Texts that the user wrote into tiers of
 * other workspaces are removed afterwards, one by one, each with an audit record there; if that is interrupted, call again to
 * continue. Throws LEGAL_HOLD.
 */
export async function forgetUser(engine: Engine, caller: Caller): Promise<ForgottenUser> {
  const { tenantId, userId } = caller;
  const startedAt = engine.clock.now();
  const receipt = await engine.store.erase({ tenantId, userId }, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(userId));
    const counts = await tables.erasure.removeUser();
    const id = uuidv7(startedAt.getTime());
    return issueReceipt(tables, caller, { id, userId, startedAt, finishedAt: engine.clock.now(), counts });
  });
  dropCaches(engine, tenantId, userId);
  return { ...receipt, sharedTexts: await forgetWritten(engine, caller) };
}
