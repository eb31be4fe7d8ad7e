import type { Engine } from '../engine/engine.js';

/**
 * One tenant, or one after another every one that ever wrote anything. A tenant that fails does not keep the others from
 * their turn: its error is thrown in the end. Answers how many there were.
 */
export async function forEachTenant(
  engine: Engine,
  only: string | undefined,
  signal: AbortSignal,
  work: (tenantId: string) => Promise<void>,
): Promise<number> {
  const tenants = only === undefined ? await listTenants(engine) : [only];
  const failures: unknown[] = [];
  for (const tenantId of tenants) {
    signal.throwIfAborted();
    await work(tenantId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return tenants.length;
}

async function listTenants(engine: Engine): Promise<string[]> {
  const heads = await engine.store.auditHeads();
  return [...new Set(heads.map(({ tenantId }) => tenantId))];
}
