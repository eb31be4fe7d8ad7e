import type { Scope, Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Mutation, toAuditRecord } from './audit-record.js';

/** The outcome of a piece of work: its result, and the changes to record; none if it changed nothing. */
interface Done<T> {
  result: T;
  mutations: readonly Mutation[];
}

/** May run more than once, so it must have no effect outside its tables. */
export type Work<T> = (tables: Tables, now: Date) => Promise<Done<T>>;

/** Changes data of the caller's user. The change and its audit records are one transaction. */
export function mutate<T>(engine: Engine, caller: Caller, work: Work<T>): Promise<T> {
  return mutateIn(engine, scopeOf(caller), caller, work);
}

/** Changes rows in a scope that is not the caller's own, such as a namespace. The records go to the chain of the scope's user. */
export function mutateIn<T>(engine: Engine, scope: Scope, caller: Caller, work: Work<T>): Promise<T> {
  return engine.store.write(scope, (tables) => recordMutations(engine, caller, tables, work));
}

/** Changes data of the tenant as a whole. The records go to the tenant's own chain. */
export function mutateTenant<T>(engine: Pick<Engine, 'store' | 'clock'>, caller: Caller, work: Work<T>): Promise<T> {
  const tenant = { ...caller, userId: '' };
  return engine.store.administer(caller.tenantId, (tables) => recordMutations(engine, tenant, tables, work));
}

/** Does the work and queues the audit records of its changes. Fails if the owner was erased since the request came in. */
export async function recordMutations<T>(
  { clock }: Pick<Engine, 'clock'>,
  caller: Caller,
  tables: Tables,
  work: Work<T>,
): Promise<T> {
  const now = clock.now();
  const { result, mutations } = await work(tables, now);
  tables.audit.append(mutations.map((mutation) => toAuditRecord(caller, mutation, now)));
  return result;
}
