import { partitionKey } from '../../ports/memories.js';
import type { MemoryIndex } from '../../ports/memory-index.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { readBigints, together } from './binary-columns.js';
import {
  type ColumnsRow,
  indexColumns,
  pageColumns,
  pageValues,
  readInOrder,
  readVectors,
  signColumns,
  storedColumns,
  toIndexRows,
  vectorColumn,
} from './index-columns.js';
import { memoriesThen } from './memories-then.js';
import { memoryConditions } from './memory-conditions.js';
import { type MarkColumns, markColumns, toMark } from './memory-marks.js';
import { fromRow, type MemoryRow, memoryColumns } from './postgres-memories.js';
import { rowsBySeq } from './rows-by-seq.js';

const changedRows = (columns: string) => `
  SELECT ${columns}
  FROM (SELECT * FROM memhall.memories WHERE tenant_id = $1 AND partition = $2 AND revision > $3
          AND revision <= $6 ORDER BY revision LIMIT $4) AS changed`;

interface VectorsRow {
  revisions: Buffer;
  vectors: string;
}

interface RemovalRow {
  removed: string;
  revision: string;
}

const removalsAfter =
  'SELECT removed, revision FROM memhall.memory_removals WHERE tenant_id = $1 AND partition = $2 AND revision > $3';

const rowsWithColumns = changedRows(indexColumns('$5'));
const rowsWithSigns = changedRows(signColumns('$5'));

const keepPage = `
  INSERT INTO memhall.memory_pages (tenant_id, partition, model, after, up_to, ${pageColumns.join(', ')})
  ${changedRows(`$1, $2, $5, $3::bigint, CASE WHEN count(*) < $4::bigint THEN $7::bigint ELSE max(revision) END, ${pageValues('$5')}`)}
  HAVING count(*) = $4::bigint OR $7::bigint IS NOT NULL
  ON CONFLICT DO NOTHING RETURNING true AS kept`;

interface StoredPageRow {
  partition: string;
  after: string;
  up_to: string;
  count: number;
}

const vectorsOf = (rows: string) => `
  SELECT ${together('int8send(revision)')} AS revisions, ${vectorColumn('true')} FROM ${rows} AS wanted`;
const vectorsBySeq = vectorsOf(`(SELECT * FROM ${rowsBySeq('$4')} AS found WHERE embedding_model = $3)`);
const vectorsInOrder = vectorsOf(`(SELECT revision, embedding FROM memhall.memories
  WHERE tenant_id = $1 AND partition = $2 AND embedding_model = $3 AND revision > $4 ORDER BY revision LIMIT $5)`);

const partitionHeads = `
  SELECT greatest(
      (SELECT max(revision) FROM memhall.memories WHERE tenant_id = $1 AND partition = wanted.key),
      (SELECT max(revision) FROM memhall.memory_removals WHERE tenant_id = $1 AND partition = wanted.key)) AS revision,
    (SELECT expires_at FROM memhall.namespaces
     WHERE left(wanted.key, 2) = 'n:' AND tenant_id = $1 AND name = substr(wanted.key, 3)) AS expires_at
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key, place) ORDER BY place`;

export function postgresMemoryIndex(statements: Statements, scope: TransactionScope): MemoryIndex {
  const { tenantId } = scope;
  return {
    at: (times) => memoriesThen(statements, scope, times),

    async changes(partition, { after, limit, signsOnly, startedAt, until }, model) {
      const key = partitionKey(partition);
      const isFirst = startedAt === undefined || after === 0;
      if (isFirst) statements.set(readInOrder);
      const [changed, removals] = await Promise.all([
        statements.query<ColumnsRow>(signsOnly ? rowsWithSigns : rowsWithColumns, [
          ...[tenantId, key, after, limit],
          model?.name ?? null,
          until ?? Number.MAX_SAFE_INTEGER,
        ]),
        startedAt === undefined ? statements.query<RemovalRow>(removalsAfter, [tenantId, key, after]) : [],
      ]);
      const [row] = changed;
      if (row === undefined) throw new Error('an aggregate returned no row');
      const rows = toIndexRows(row, model?.dimension ?? 0);
      const isAll = rows.count < limit;
      const complete = isAll && until === undefined;
      const lastRow = (isAll ? until : undefined) ?? rows.revisions[rows.count - 1] ?? after;
      const lastChange = removals.reduce((last, { revision }) => Math.max(last, Number(revision)), startedAt ?? after);
      const upTo = complete ? Math.max(lastRow, lastChange) : lastRow;
      return { rows, removed: removals.map(({ removed }) => Number(removed)), upTo, complete };
    },

    async pages(partitions, { name }) {
      const rows = await statements.query<StoredPageRow>(
        `SELECT partition, after, up_to, count FROM memhall.memory_pages
         WHERE tenant_id = $1 AND partition = ANY ($2) AND model = $3 ORDER BY partition, after`,
        [tenantId, partitions.map(partitionKey), name],
      );
      const found = rows.map((row) => ({ ...row, after: Number(row.after), upTo: Number(row.up_to) }));
      return partitions.map((partition) => found.filter((one) => one.partition === partitionKey(partition)));
    },

    async page(partition, { after, upTo }, { name, dimension }) {
      const [row] = await statements.query<ColumnsRow>(
        `SELECT ${storedColumns} FROM memhall.memory_pages
         WHERE tenant_id = $1 AND partition = $2 AND after = $3 AND up_to = $4 AND model = $5`,
        [tenantId, partitionKey(partition), after, upTo, name],
      );
      return row && { rows: toIndexRows(row, dimension), removed: [], upTo, complete: false };
    },

    async keepPage(partition, { after, until, limit }, { name }) {
      statements.set(readInOrder);
      const rows = await statements.query<{ kept: boolean }>(keepPage, [
        ...[tenantId, partitionKey(partition), after, limit],
        ...[name, until ?? Number.MAX_SAFE_INTEGER, until],
      ]);
      return rows.length > 0;
    },

    async vectors(partition, wanted, model) {
      const place = [tenantId, partitionKey(partition), model.name];
      if ('after' in wanted) statements.set(readInOrder);
      const [row] = await ('seqs' in wanted
        ? statements.query<VectorsRow>(vectorsBySeq, [...place, wanted.seqs])
        : statements.query<VectorsRow>(vectorsInOrder, [...place, wanted.after, wanted.limit]));
      if (row === undefined) throw new Error('an aggregate returned no row');
      return { revisions: readBigints(row.revisions), vectors: readVectors(row.vectors) };
    },

    async count(partitions, atMost) {
      statements.set(readInOrder);
      const rows = await statements.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM (SELECT 1 FROM memhall.memories
         WHERE tenant_id = $1 AND partition = ANY ($2) LIMIT $3) AS counted`,
        [tenantId, partitions.map(partitionKey), atMost],
      );
      return rows[0]?.count ?? 0;
    },

    async fetch(partition, seqs) {
      const rows = await statements.query<MemoryRow & MarkColumns & { seq: string }>(
        `SELECT ${memoryColumns}, ${markColumns}, seq FROM ${rowsBySeq('$3')} AS found`,
        [tenantId, partitionKey(partition), seqs],
      );
      return new Map(rows.map((row) => [Number(row.seq), { memory: fromRow(row), mark: toMark(row) }]));
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

    async locate(partition, id, filters) {
      const values: unknown[] = [tenantId, partitionKey(partition), id];
      const tests = filters.map((filter) => `coalesce((true${memoryConditions(filter, values)}), false)`);
      const [row] = await statements.query<MarkColumns & { seq: string; matches: boolean[] }>(
        `SELECT seq, ARRAY[${tests.join(', ')}]::boolean[] AS matches, ${markColumns} FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND id = $3`,
        values,
      );
      return row && { seq: Number(row.seq), matches: row.matches, mark: toMark(row) };
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
