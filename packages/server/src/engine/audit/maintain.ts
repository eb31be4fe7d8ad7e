import type { Scope, Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';

/**
 * Writes derived data such as search indexes, and bookkeeping. Leaves no audit records. Data that a user or operator could miss
 * must be changed with `mutate` instead.
 */
export function maintain<T>(
  { store }: Pick<Engine, 'store'>,
  scope: Scope,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  return store.write(scope, work);
}

/** Does the same for rows of a tenant that its users must not change. */
export function maintainTenant<T>(
  { store }: Pick<Engine, 'store'>,
  tenantId: string,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  return store.administer(tenantId, work);
}
