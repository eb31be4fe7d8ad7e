import type { ClientBase } from 'pg';

/**
 * Begins a transaction without a time limit that one process at a time can be in, by a lock of this number. A session that waited for
 * the lock may remember that a schema was missing before it began to wait; it notices changes when it opens a table.
 */
export async function beginAlone(client: ClientBase, lock: number): Promise<void> {
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${lock}); SELECT 1 FROM pg_namespace LIMIT 0`,
  );
}
