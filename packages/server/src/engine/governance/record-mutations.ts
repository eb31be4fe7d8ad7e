import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import { type Mutation, toAuditRecord } from './audit-record.js';

export type Work<T> = (tables: Tables, now: Date) => Promise<{ result: T; mutations: readonly Mutation[] }>;

/** Does the work and queues the audit records of what it changed. Fails if what it belongs to was erased meanwhile. */
export async function recordMutations<T>(
  caller: Caller,
  tables: Tables,
  now: Date,
  work: Work<T>,
): Promise<{ result: T; records: readonly string[] }> {
  const { result, mutations } = await work(tables, now);
  const records = mutations.map((mutation) => toAuditRecord(caller, mutation, now));
  await tables.audit.append(records);
  return { result, records };
}
