import { partitionKey } from '../../ports/memories.js';
import type { IndexRows, MemoryIndex } from '../../ports/memory-index.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { readHalves } from './half-precision.js';
import { memoryConditions } from './memory-conditions.js';
import { fromRow, type MemoryRow, memoryColumns } from './postgres-memories.js';

interface ColumnsRow {
  count: number;
  revisions: Buffer;
  seqs: Buffer;
  occurred_at: Buffer;
  created_at: Buffer;
  expires_at: Buffer;
  pinned: Buffer;
  traits: Buffer;
  term_counts: Buffer;
  kinds: string;
  session_ids: string;
  agent_ids: string;
  terms: Buffer;
  term_bytes: Buffer;
  embedded: Buffer;
  vectors: Buffer;
}

const milliseconds = (column: string) => `float8send(extract(epoch FROM ${column})::float8 * 1000)`;
const together = (bytes: string) => `coalesce(string_agg(${bytes}, ''::bytea), ''::bytea)`;

/** Columns as binary strings: a thousand rows cost one row's overhead. Line breaks cannot occur in ids, so they part them. */
const changedRows = `
  SELECT count(*)::int AS count,
    ${together('int8send(revision)')} AS revisions, ${together('int8send(seq)')} AS seqs,
    ${together(milliseconds('occurred_at'))} AS occurred_at, ${together(milliseconds('created_at'))} AS created_at,
    ${together(`CASE WHEN expires_at IS NULL THEN float8send('NaN') ELSE ${milliseconds('expires_at')} END`)} AS expires_at,
    ${together(`CASE WHEN is_pinned THEN '\\x01'::bytea ELSE '\\x00' END`)} AS pinned,
    ${together('int4send(traits)')} AS traits, ${together('int4send(term_count)')} AS term_counts,
    coalesce(string_agg(kind, E'\\n'), '') AS kinds,
    coalesce(string_agg(coalesce(session_id, ''), E'\\n'), '') AS session_ids,
    coalesce(string_agg(coalesce(agent_id, ''), E'\\n'), '') AS agent_ids,
    ${together('terms')} AS terms, ${together('int4send(length(terms))')} AS term_bytes,
    ${together(`CASE WHEN embedding_model = $5 THEN '\\x01'::bytea ELSE '\\x00' END`)} AS embedded,
    ${together(`CASE WHEN embedding_model = $5 THEN substr(halfvec_send(embedding), 5) ELSE '\\x' END`)} AS vectors
  FROM (SELECT * FROM memhall.memories WHERE tenant_id = $1 AND partition = $2 AND revision > $3
        ORDER BY revision LIMIT $4) AS changed`;

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
      if (row === undefined) throw new Error('an aggregate gave no row');
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

    forgetRemovals(before) {
      statements.enqueue('DELETE FROM memhall.memory_removals WHERE tenant_id = $1 AND removed_at < $2', [
        tenantId,
        before,
      ]);
    },

    async expiryOf(partition) {
      if (partition.kind !== 'namespace') return undefined;
      const rows = await statements.query<{ expires_at: Date | null }>(
        'SELECT expires_at FROM memhall.namespaces WHERE tenant_id = $1 AND name = $2',
        [tenantId, partition.name],
      );
      return rows[0]?.expires_at ?? undefined;
    },
  };
}

function toIndexRows(row: ColumnsRow, dimension: number): IndexRows {
  const { count } = row;
  const termOffsets = new Int32Array(count + 1);
  const termBytes = readIntegers(row.term_bytes);
  for (let index = 0; index < count; index++)
    termOffsets[index + 1] = (termOffsets[index] ?? 0) + (termBytes[index] ?? 0);
  return {
    count,
    revisions: readBigints(row.revisions),
    seqs: readBigints(row.seqs),
    occurredAt: readFloats(row.occurred_at),
    createdAt: readFloats(row.created_at),
    expiresAt: readFloats(row.expires_at),
    pinned: row.pinned,
    traits: readIntegers(row.traits),
    termCounts: readIntegers(row.term_counts),
    kinds: splitLines(row.kinds, count),
    sessionIds: splitLines(row.session_ids, count),
    agentIds: splitLines(row.agent_ids, count),
    terms: row.terms,
    termOffsets,
    vectors: readVectors(row.vectors, row.embedded, dimension),
    embedded: row.embedded,
  };
}

/** Rows without a vector have no bytes; they get zeros. */
function readVectors(bytes: Buffer, embedded: Buffer, dimension: number): Float32Array {
  const numbers = readHalves(bytes);
  if (numbers.length === embedded.length * dimension) return numbers;
  const vectors = new Float32Array(embedded.length * dimension);
  let at = 0;
  for (let index = 0; index < embedded.length; index++) {
    if (embedded[index] === 0) continue;
    vectors.set(numbers.subarray(at, at + dimension), index * dimension);
    at += dimension;
  }
  return vectors;
}

function splitLines(text: string, count: number): string[] {
  return count === 0 ? [] : text.split('\n');
}

function readBigints(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 8 }, (_, index) => Number(bytes.readBigInt64BE(8 * index)));
}

function readFloats(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleBE(8 * index));
}

function readIntegers(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32BE(4 * index));
}
