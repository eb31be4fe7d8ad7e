import { type Partition, partitionKey } from '../../ports/memories.js';
import type { MemoryIndexThen } from '../../ports/memory-index.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { readBigints, together } from './binary-columns.js';
import { type ColumnsRow, indexColumns, toIndexRows } from './index-columns.js';
import { memoryConditions } from './memory-conditions.js';
import { type MarkColumns, markColumns, marksOf, toMark } from './memory-marks.js';
import { formColumns, fromRow, type MemoryRow, memoryColumns } from './postgres-memories.js';

const vectorColumns = ['embedding_model', 'embedding'];
const otherColumns = [...memoryColumns.split(', '), ...formColumns, 'revision'].filter(
  (column) => !vectorColumns.includes(column),
);

/** The columns of a memory, or of a version of one. A vector that came later than `$3` is left out. */
const columnsOf = (row: string) =>
  [
    ...otherColumns.map((column) => `${row}.${column}`),
    ...vectorColumns.map(
      (column) => `CASE WHEN ${row}.embedded_at > $3 THEN NULL ELSE ${row}.${column} END AS ${column}`,
    ),
  ].join(', ');

/** Removal and expiry win: what is not there any more, or has expired at `$5`, was never there. */
const isThere = '(m.expires_at IS NULL OR m.expires_at > $5)';
const evidenceThen = `(SELECT DISTINCT l.memory_id FROM memhall.fact_evidence AS l
  WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.at <= $3)`;

/** The memories of the partition `$4` as they were at `$3`, with the marks that followed from the facts of the user `$2` by then. */
const stored = `
  WITH marks AS MATERIALIZED (${marksOf(evidenceThen)}),
  stored AS (
    SELECT r.*, k.over_from, k.partly_from, k.mark FROM (
      SELECT ${columnsOf('m')}, m.seq FROM memhall.memories AS m
      WHERE m.tenant_id = $1 AND m.partition = $4 AND coalesce(m.version_at, m.recorded_at, m.created_at) <= $3 AND ${isThere}
      UNION ALL
      SELECT ${columnsOf('v')}, m.seq FROM memhall.memory_versions AS v
      JOIN memhall.memories AS m ON m.tenant_id = $1 AND m.id = v.id
      WHERE v.tenant_id = $1 AND v.partition = $4 AND v.began_at <= $3 AND v.ended_at > $3 AND ${isThere}
        AND (v.expires_at IS NULL OR v.expires_at > $3)
    ) AS r
    LEFT JOIN marks AS k ON k.memory_id = r.id AND r.user_id = $2 AND NOT r.is_public)`;

/** Reads memories as they were. */
export function memoriesThen(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
  { knownAt, now }: { knownAt: Date; now: Date },
): MemoryIndexThen {
  const valuesOf = (partition: Partition, ...others: unknown[]): unknown[] => [
    ...[tenantId, userId, knownAt, partitionKey(partition), now],
    ...others,
  ];
  return {
    async changes(partition, { after, limit }, model) {
      const [row] = await statements.query<ColumnsRow>(
        `${stored} SELECT ${indexColumns('$6::text')}
         FROM (SELECT * FROM stored WHERE revision > $7 ORDER BY revision LIMIT $8) AS page`,
        valuesOf(partition, model?.name ?? null, after, limit),
      );
      if (row === undefined) throw new Error('an aggregate returned no row');
      const rows = toIndexRows(row, model?.dimension ?? 0);
      return { rows, removed: [], upTo: rows.revisions[rows.count - 1] ?? after, complete: rows.count < limit };
    },

    async fetch(partition, seqs) {
      const rows = await statements.query<MemoryRow & MarkColumns & { seq: string }>(
        `${stored} SELECT ${memoryColumns}, ${markColumns}, seq FROM stored WHERE seq = ANY ($6::bigint[])`,
        valuesOf(partition, seqs),
      );
      return new Map(rows.map((row) => [Number(row.seq), { memory: fromRow(row), mark: toMark(row) }]));
    },

    async matching(partition, filter) {
      const values = valuesOf(partition);
      const rows = await statements.query<{ seqs: Buffer }>(
        `${stored} SELECT ${together('int8send(seq)')} AS seqs FROM stored WHERE true${memoryConditions(filter, values)}`,
        values,
      );
      return readBigints(rows[0]?.seqs ?? Buffer.alloc(0));
    },

    async locate(partition, id, filters) {
      const values = valuesOf(partition, id);
      const tests = filters.map((filter) => `coalesce((true${memoryConditions(filter, values)}), false)`);
      const [row] = await statements.query<MarkColumns & { seq: string; matches: boolean[] }>(
        `${stored} SELECT seq, ARRAY[${tests.join(', ')}]::boolean[] AS matches, ${markColumns} FROM stored WHERE id = $6`,
        values,
      );
      return row && { seq: Number(row.seq), matches: row.matches, mark: toMark(row) };
    },

    async sessionSpans(partition, sessionIds, { filter }) {
      const values = valuesOf(partition, sessionIds);
      const rows = await statements.query<{ session_id: string; from: Date; to: Date }>(
        `${stored} SELECT session_id, min(occurred_at) AS from, max(occurred_at) AS to FROM stored
         WHERE session_id = ANY ($6::text[])${memoryConditions(filter, values)} GROUP BY session_id`,
        values,
      );
      return new Map(rows.map(({ session_id, from, to }) => [session_id, { from, to }]));
    },
  };
}
