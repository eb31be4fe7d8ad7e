import type { IndexRows } from '../../ports/memory-index.js';
import { readHalves } from './half-precision.js';

export interface ColumnsRow {
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
export const together = (bytes: string) => `coalesce(string_agg(${bytes}, ''::bytea), ''::bytea)`;
export const bit = (condition: string) => `CASE WHEN ${condition} THEN '\\x01'::bytea ELSE '\\x00' END`;

/**
 * Columns as binary strings: a thousand rows cost one row's overhead. Line breaks cannot occur in ids, so they part them.
 * `model` is the parameter that names the vectors to read.
 */
export const indexColumns = (model: string) => `count(*)::int AS count,
    ${together('int8send(revision)')} AS revisions, ${together('int8send(seq)')} AS seqs,
    ${together(milliseconds('occurred_at'))} AS occurred_at, ${together(milliseconds('created_at'))} AS created_at,
    ${together(`CASE WHEN expires_at IS NULL THEN float8send('NaN') ELSE ${milliseconds('expires_at')} END`)} AS expires_at,
    ${together(bit('is_pinned'))} AS pinned,
    ${together('int4send(traits)')} AS traits, ${together('int4send(term_count)')} AS term_counts,
    coalesce(string_agg(kind, E'\\n'), '') AS kinds,
    coalesce(string_agg(coalesce(session_id, ''), E'\\n'), '') AS session_ids,
    coalesce(string_agg(coalesce(agent_id, ''), E'\\n'), '') AS agent_ids,
    ${together('terms')} AS terms, ${together('int4send(length(terms))')} AS term_bytes,
    ${together(bit(`embedding_model = ${model}`))} AS embedded,
    ${together(`CASE WHEN embedding_model = ${model} THEN substr(halfvec_send(embedding), 5) ELSE '\\x' END`)} AS vectors`;

export function toIndexRows(row: ColumnsRow, dimension: number): IndexRows {
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

export function readBigints(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 8 }, (_, index) => Number(bytes.readBigInt64BE(8 * index)));
}

export function readFloats(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleBE(8 * index));
}

function readIntegers(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32BE(4 * index));
}
