import type { Engine } from '../engine/engine.js';
import { listTenants } from '../engine/list-tenants.js';

/**
 * Runs `work` for one tenant, or in sequence for every tenant that ever wrote anything. If tenants fail, the others are
 * still processed and the first error is thrown at the end. Returns the number of tenants.
 */
export async function forEachTenant(
  engine: Engine,
  only: string | undefined,
  signal: AbortSignal,
  work: (tenantId: string) => Promise<void>,
): Promise<number> {
  return forTenants(only === undefined ? await listTenants(engine) : [only], signal, work);
}

/** Does the same for the given tenants. */
export async function forTenants(
  tenants: readonly string[],
  signal: AbortSignal,
  work: (tenantId: string) => Promise<void>,
): Promise<number> {
  const failures: unknown[] = [];
  for (const tenantId of tenants) {
    signal.throwIfAborted();
    await work(tenantId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return tenants.length;
}
