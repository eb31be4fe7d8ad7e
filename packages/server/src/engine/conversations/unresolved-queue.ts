import { Problem } from '@memhall/core';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { listTenants } from '../list-tenants.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';

type PatchStatus = UnresolvedPatch['status'];

interface QueueInput {
  limit: number;
  cursor?: string | undefined;
  userId?: string | undefined;
  status?: PatchStatus | undefined;
}

/** Lists the patches of all users of a tenant, or of one, oldest first. */
export async function listUnresolvedQueue(
  engine: Engine,
  tenantId: string,
  { limit, cursor, ...filter }: QueueInput,
): Promise<Page<UnresolvedPatch>> {
  const position = decodeTimeCursor(cursor);
  const after = position && { createdAt: position.at, patchId: position.id };
  const rows = await engine.store.inspect(tenantId, (tables) =>
    tables.unresolvedPatches.listAll({ ...filter, after, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ createdAt, patchId }) => timePosition(createdAt, patchId));
}

/** Returns the caller that decides about a patch of any user of the tenant. Throws NOT_FOUND. */
export async function deciderOf(engine: Engine, caller: Caller, patchId: string): Promise<Caller> {
  const userId = await engine.store.inspect(caller.tenantId, (tables) => tables.unresolvedPatches.ownerOf(patchId));
  if (userId === undefined) throw noSuchPatch();
  return { ...caller, userId };
}

export function noSuchPatch(): Problem {
  const message = 'This unresolved patch does not exist: it may already have been applied or discarded.';
  return new Problem('NOT_FOUND', message);
}

/** Counts the patches of all tenants. */
export async function countUnresolved(engine: Engine): Promise<Map<PatchStatus, number>> {
  const total = new Map<PatchStatus, number>([
    ['waiting', 0],
    ['review', 0],
  ]);
  for (const tenantId of await listTenants(engine)) {
    const counts = await engine.store.inspect(tenantId, (tables) => tables.unresolvedPatches.count());
    for (const [status, count] of total) total.set(status, count + counts[status]);
  }
  return total;
}
