import { uuidv7 } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eraseOuter, outerUsers } from '../outer/erase-outer.js';
import { dropCaches } from './drop-caches.js';
import { removeUser } from './forget-user.js';
import { refuseIfHeld } from './legal-holds.js';
import { addCounts, type FinishedReceipt, issueReceipt } from './receipt.js';

/**
 * Removes all that is kept of a tenant: user by user, then what is its own. From the first moment on every write of the tenant
 * is refused, holds included, so there is no way back. Interrupted, it stays so until the erasure is repeated, which
 * goes on under the same receipt. Throws LEGAL_HOLD when anything of the tenant is held.
 */
export async function eraseTenant(engine: Engine, caller: Caller): Promise<FinishedReceipt> {
  const { tenantId } = caller;
  const id = await begin(engine, tenantId);
  for (let users = await listUsers(engine, tenantId); users.length > 0; users = await listUsers(engine, tenantId)) {
    for (const userId of users) {
      const isDone = await engine.store.erase({ tenantId, userId }, (tables) =>
        eraseUser(engine, tables, { tenantId, userId, id }),
      );
      if (isDone) return finished(engine, tenantId, id);
    }
  }
  await engine.store.erase({ tenantId, userId: null }, async (tables) => {
    const open = await tables.receipts.unfinished();
    if (open?.id !== id) return;
    const removed = await tables.erasure.removeTenant();
    const { outer } = engine;
    const counts = outer === null ? removed : { ...removed, blobs: await eraseOuter(outer, { tenantId, userId: '' }) };
    const finishedAt = engine.clock.now();
    issueReceipt(tables, caller, { ...open, finishedAt, counts: addCounts(open.counts, counts) });
  });
  engine.outer?.noteUncopied({ tenantId, userId: '' });
  dropCaches(engine, tenantId, null);
  return finished(engine, tenantId, id);
}

/** Answers the id of the erasure that is under way now. */
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

/** Every write leaves a record, so whoever has anything has a chain; or blobs of a chain that the database lost. */
async function listUsers(engine: Engine, tenantId: string): Promise<string[]> {
  const heads = await engine.store.auditHeads(tenantId);
  const elsewhere = engine.outer === null ? [] : await outerUsers(engine.outer, tenantId);
  const users = new Set([...heads.map(({ userId }) => userId), ...elsewhere]);
  users.delete('');
  return [...users];
}

/** True: another node has finished the erasure meanwhile, and what is there now is new. */
async function eraseUser(
  engine: Engine,
  tables: Tables,
  { tenantId, userId, id }: { tenantId: string; userId: string; id: string },
): Promise<boolean> {
  const open = await tables.receipts.unfinished();
  if (open?.id !== id) return true;
  const counts = await removeUser(engine, tables, { tenantId, userId });
  tables.receipts.put({ ...open, counts: addCounts(open.counts, { users: 1, ...counts }) });
  return false;
}

async function finished(engine: Engine, tenantId: string, id: string): Promise<FinishedReceipt> {
  const receipt = await engine.store.inspect(tenantId, (tables) => tables.receipts.get(id));
  if (receipt?.finishedAt == null || receipt.hash === null) throw new Error('the receipt of an erasure is not there');
  return { ...receipt, finishedAt: receipt.finishedAt, hash: receipt.hash };
}
