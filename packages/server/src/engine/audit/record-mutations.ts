import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import { type Mutation, toAuditRecord } from './audit-record.js';

/** What a piece of work did. */
export interface Done<T> {
  result: T;
  mutations: readonly Mutation[];
  /** What no transaction takes back: the last step before COMMIT, when nothing can refuse the change any more. Repeatable. */
  beforeCommit?: (() => Promise<void>) | undefined;
}

export type Work<T> = (tables: Tables, now: Date) => Promise<Done<T>>;

/** Does the work and queues the audit records of what it changed. Fails if what it belongs to was erased meanwhile. */
export async function recordMutations<T>(
  caller: Caller,
  tables: Tables,
  now: Date,
  work: Work<T>,
): Promise<{ result: T; records: readonly string[] }> {
  const { result, mutations, beforeCommit } = await work(tables, now);
  const records = mutations.map((mutation) => toAuditRecord(caller, mutation, now));
  tables.audit.append(records);
  if (beforeCommit !== undefined) {
    await tables.flushed();
    await beforeCommit();
  }
  return { result, records };
}
