import { uuidv7 } from '@memhall/core';
import { workspaceOf } from '../../ports/owners.js';
import type { Tables } from '../../ports/store.js';
import { tenantRemovals } from '../audit/signed-removals.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { dropCaches } from './drop-caches.js';
import { refuseIfHeld } from './legal-holds.js';
import { addCounts, type FinishedReceipt, issueReceipt } from './receipt.js';

/**
 * Removes everything that is stored of a tenant: user by user, then the tenant's own data. As soon as it begins, every write of
 * the tenant is refused, legal holds included. If it is interrupted, writes stay refused until it is called again; it then
 * continues under the same receipt. Throws LEGAL_HOLD if anything of the tenant is held.
 */
export async function eraseTenant(engine: Engine, caller: Caller): Promise<FinishedReceipt> {
  const { tenantId } = caller;
  const id = await begin(engine, tenantId);
  const usersLeft = () => engine.store.users(tenantId);
  for (let users = await usersLeft(); users.length > 0; users = await usersLeft()) {
    for (const userId of users) {
      const isDone = await engine.store.erase({ tenantId, userId }, (tables) => eraseOwner(tables, id, userId));
      if (isDone) return finished(engine, tenantId, id);
    }
  }
  await engine.store.erase({ tenantId, userId: null }, async (tables) => {
    const open = await tables.receipts.unfinished();
    if (open?.id !== id) return;
    const counts = await tables.erasure.removeTenant();
    const finishedAt = engine.clock.now();
    const removals = await tenantRemovals(tables, engine.auditKey, tenantId);
    issueReceipt(tables, caller, { ...open, finishedAt, counts: addCounts(open.counts, counts) }, removals);
  });
  dropCaches(engine, tenantId, null);
  return finished(engine, tenantId, id);
}

/** Returns the id of the running erasure, starting one if there is none. */
function begin(engine: Engine, tenantId: string): Promise<string> {
  return engine.store.erase({ tenantId, userId: null }, async (tables) => {
    const open = await tables.receipts.unfinished();
    if (open !== undefined) return open.id;
    refuseIfHeld(await tables.legalHolds.on(null));
    const startedAt = engine.clock.now();
    const id = uuidv7(startedAt.getTime());
    tables.receipts.put({ id, userId: null, startedAt, finishedAt: null, counts: { users: 0 }, hash: null });
    return id;
  });
}

/** Returns true if another node has finished the erasure: whatever is stored now is new. */
async function eraseOwner(tables: Tables, id: string, ownerId: string): Promise<boolean> {
  const open = await tables.receipts.unfinished();
  if (open?.id !== id) return true;
  const counts = await tables.erasure.removeUser();
  tables.receipts.put({
    ...open,
    counts: addCounts(open.counts, { users: workspaceOf(ownerId) === undefined ? 1 : 0, ...counts }),
  });
  return false;
}

async function finished(engine: Engine, tenantId: string, id: string): Promise<FinishedReceipt> {
  const receipt = await engine.store.inspect(tenantId, (tables) => tables.receipts.get(id));
  if (receipt?.finishedAt == null || receipt.hash === null) throw new Error('the receipt of an erasure is missing');
  return { ...receipt, finishedAt: receipt.finishedAt, hash: receipt.hash };
}
