import type { Statements } from './statements.js';

/** What locks are about. The numbers are part of the keys, so they are the same in every version. */
const kinds = {
  /** Writers of a user. */
  user: 0,
  /** Writers of a partition of memories that several users may change. */
  partition: 1,
  legalHolds: 2,
  /** Who writes notes about a person, shared, and who erases the person. */
  notesAbout: 3,
  /** Who signs the audit log of a tenant, and, shared, who removes records. */
  signing: 4,
} as const;

type LockKind = keyof typeof kinds;

/** The call that takes a lock until the end of the transaction. `key` is an expression without columns of tables. */
export function lockCall(kind: LockKind, key: string, isShared = false): string {
  return `pg_advisory_xact_lock${isShared ? '_shared' : ''}(hashtextextended(${key}, ${kinds[kind]}))`;
}

/**
 * Takes locks in the order of their keys, so that two transactions that take several never wait for each other. Queued.
 *
 * All locks of transactions are taken here or on entering a scope, in statements without a table: those run on the node that the client
 * is connected to, also if the database is distributed. Statements with tables run where the data is, and nobody would meet there.
 */
export function takeLocks(
  statements: Statements,
  kind: LockKind,
  keys: readonly string[],
  options: { isShared?: boolean } = {},
): void {
  if (keys.length === 0) return;
  const ordered = [...new Set(keys)].sort();
  statements.enqueue(`SELECT ${lockCall(kind, 'key', options.isShared)} FROM unnest($1::text[]) AS key`, [ordered]);
}
