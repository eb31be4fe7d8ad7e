import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Mutation, toAuditRecord } from './audit-record.js';

/**
 * The only way to change anything: one transaction holds the change and its audit records.
 * `work` answers the mutations it made; none when it changed nothing.
 */
export function mutate<T>(
  engine: Engine,
  caller: Caller,
  work: (tables: Tables, now: Date) => Promise<{ result: T; mutations: readonly Mutation[] }>,
): Promise<T> {
  const now = engine.clock.now();
  return engine.store.write(scopeOf(caller), async (tables) => {
    const { result, mutations } = await work(tables, now);
    if (mutations.length > 0) tables.audit.append(mutations.map((mutation) => toAuditRecord(caller, mutation, now)));
    return result;
  });
}
