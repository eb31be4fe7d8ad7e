import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Mutation, toAuditRecord } from './audit-record.js';

type Work<T> = (tables: Tables, now: Date) => Promise<{ result: T; mutations: readonly Mutation[] }>;

/**
 * The only way to change what belongs to a user: one transaction holds the change and its audit records.
 * `work` answers the mutations it made; none when it changed nothing.
 */
export function mutate<T>(engine: Engine, caller: Caller, work: Work<T>): Promise<T> {
  const now = engine.clock.now();
  return engine.store.write(scopeOf(caller), (tables) => recorded(caller, tables, now, work));
}

/** The only way to change what belongs to the tenant as a whole. Its records are in the tenant's own chain. */
export function mutateTenant<T>(engine: Engine, caller: Caller, work: Work<T>): Promise<T> {
  const now = engine.clock.now();
  const tenant = { ...caller, userId: '' };
  return engine.store.administer(caller.tenantId, (tables) => recorded(tenant, tables, now, work));
}

async function recorded<T>(caller: Caller, tables: Tables, now: Date, work: Work<T>): Promise<T> {
  const { result, mutations } = await work(tables, now);
  if (mutations.length > 0) tables.audit.append(mutations.map((mutation) => toAuditRecord(caller, mutation, now)));
  return result;
}
