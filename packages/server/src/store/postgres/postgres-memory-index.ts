import { partitionKey } from '../../ports/memories.js';
import type { MemoryIndex } from '../../ports/memory-index.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { type ColumnsRow, indexColumns, readBigints, together, toIndexRows } from './index-columns.js';
import { memoryConditions } from './memory-conditions.js';
import { fromRow, type MemoryRow, memoryColumns } from './postgres-memories.js';

const changedRows = `
  SELECT ${indexColumns('$5')}
  FROM (SELECT * FROM memhall.memories WHERE tenant_id = $1 AND partition = $2 AND revision > $3
        ORDER BY revision LIMIT $4) AS changed`;

const partitionHeads = `
  SELECT greatest(
      (SELECT max(revision) FROM memhall.memories WHERE tenant_id = $1 AND partition = wanted.key),
      (SELECT max(revision) FROM memhall.memory_removals WHERE tenant_id = $1 AND partition = wanted.key)) AS revision,
    (SELECT expires_at FROM memhall.namespaces
     WHERE left(wanted.key, 2) = 'n:' AND tenant_id = $1 AND name = substr(wanted.key, 3)) AS expires_at
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key, place) ORDER BY place`;

export function postgresMemoryIndex(statements: Statements, { tenantId }: TransactionScope): MemoryIndex {
  return {
    async changes(partition, { after, limit }, model) {
      const key = partitionKey(partition);
      const [changed, removals] = await Promise.all([
        statements.query<ColumnsRow>(changedRows, [tenantId, key, after, limit, model?.name ?? null]),
        statements.query<{ removed: string; revision: string }>(
          'SELECT removed, revision FROM memhall.memory_removals WHERE tenant_id = $1 AND partition = $2 AND revision > $3',
          [tenantId, key, after],
        ),
      ]);
      const [row] = changed;
      if (row === undefined) throw new Error('an aggregate returned no row');
      const rows = toIndexRows(row, model?.dimension ?? 0);
      const complete = rows.count < limit;
      const lastRow = rows.revisions[rows.count - 1] ?? after;
      const lastRemoval = removals.reduce((last, { revision }) => Math.max(last, Number(revision)), after);
      const upTo = complete ? Math.max(lastRow, lastRemoval) : lastRow;
      return { rows, removed: removals.map(({ removed }) => Number(removed)), upTo, complete };
    },

    async fetch(partition, seqs) {
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND seq = ANY ($3)`,
        [tenantId, partitionKey(partition), seqs],
      );
      return new Map(rows.map((row) => [Number(row.seq), fromRow(row)]));
    },

    async matching(partition, filter) {
      const values: unknown[] = [tenantId, partitionKey(partition)];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<{ seqs: Buffer }>(
        `SELECT ${together('int8send(seq)')} AS seqs FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2${conditions}`,
        values,
      );
      return readBigints(rows[0]?.seqs ?? Buffer.alloc(0));
    },

    async sessionSpans(partition, sessionIds, { filter, now }) {
      const values: unknown[] = [tenantId, partitionKey(partition), sessionIds, now];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<{ session_id: string; from: Date; to: Date }>(
        `SELECT session_id, min(occurred_at) AS from, max(occurred_at) AS to FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND session_id = ANY ($3::text[])
           AND (expires_at IS NULL OR expires_at > $4)${conditions} GROUP BY session_id`,
        values,
      );
      return new Map(rows.map(({ session_id, from, to }) => [session_id, { from, to }]));
    },

    forgetRemovals(before) {
      statements.enqueue('DELETE FROM memhall.memory_removals WHERE tenant_id = $1 AND removed_at < $2', [
        tenantId,
        before,
      ]);
    },

    async heads(partitions) {
      const rows = await statements.query<{ revision: string | null; expires_at: Date | null }>(partitionHeads, [
        tenantId,
        partitions.map(partitionKey),
      ]);
      return rows.map(({ revision, expires_at }) => ({ revision: Number(revision ?? 0), expiresAt: expires_at }));
    },
  };
}
