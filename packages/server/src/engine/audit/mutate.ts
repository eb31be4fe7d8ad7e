import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { mutateOuter } from '../outer/mutate-outer.js';
import { recordMutations, type Work } from './record-mutations.js';

/**
 * The only way to change what belongs to a user: one transaction holds the change and its audit records, and where
 * artifacts live in an outer store, it ends only when they are there.
 * `work` answers the mutations it made; none when it changed nothing. It may run more than once.
 */
export async function mutate<T>(engine: Engine, caller: Caller, work: Work<T>): Promise<T> {
  if (engine.outer !== null) return mutateOuter(engine, engine.outer, caller, work);
  const now = engine.clock.now();
  const { result } = await engine.store.write(scopeOf(caller), (tables) => recordMutations(caller, tables, now, work));
  return result;
}

/** The only way to change what belongs to the tenant as a whole. Its records are in the tenant's own chain. */
export async function mutateTenant<T>(engine: Engine, caller: Caller, work: Work<T>): Promise<T> {
  const now = engine.clock.now();
  const tenant = { ...caller, userId: '' };
  const { result, records } = await engine.store.administer(caller.tenantId, (tables) =>
    recordMutations(tenant, tables, now, work),
  );
  if (records.length > 0) engine.outer?.noteUncopied({ tenantId: caller.tenantId, userId: '' });
  return result;
}
