import type { IndexRows } from '../../ports/memory-index.js';
import { asText, bit, fromText, noTime, readBigint, readMilliseconds, together } from './binary-columns.js';
import { readHalves } from './half-precision.js';
import { type MarkRecords, markRecords, readMarkRecords } from './memory-marks.js';

export interface ColumnsRow extends MarkRecords {
  count: number;
  /** One record per row, see below. */
  records: string;
  kinds: string;
  session_ids: string;
  agent_ids: string;
  terms: string;
  vectors: string;
  signs?: string;
}

/**
 * Makes the database read rows in the order of an index and stop at the limit. Row-level security makes it expect few rows, so it
 * would read and sort all of them for every page, or start worker processes for it.
 */
export const readInOrder = {
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  max_parallel_workers_per_gather: '0',
};

/** revision, seq, occurred_at, expires_at (8 bytes each), traits, term_count, length of terms (4 each), pinned, embedded. */
const recordBytes = 46;

/**
 * Columns as binary strings: a thousand rows cost the overhead of one. Ids cannot contain line breaks, so line breaks
 * separate them. `model` is the parameter that names the vectors to read.
 */
const aggregates = (model: string) => ({
  count: 'count(*)::int',
  records: together(`int8send(revision) || int8send(seq) || timestamptz_send(occurred_at)
      || coalesce(timestamptz_send(expires_at), ${noTime}) || int4send(traits) || int4send(term_count)
      || int4send(length(terms)) || ${bit('is_pinned')} || ${bit(`embedding_model = ${model}`)}`),
  kinds: `coalesce(string_agg(kind, E'\\n'), '')`,
  session_ids: `coalesce(string_agg(coalesce(session_id, ''), E'\\n'), '')`,
  agent_ids: `coalesce(string_agg(coalesce(agent_id, ''), E'\\n'), '')`,
  terms: together('terms'),
  signs: together('substr(bit_send(binary_quantize(embedding)), 5)', `embedding_model = ${model}`),
  ...markRecords,
});
type Aggregate = keyof ReturnType<typeof aggregates>;

const binaryAggregates: readonly Aggregate[] = ['records', 'terms', 'signs', 'marks'];
/** The columns of a stored page, which are also those of a result. */
export const pageColumns = Object.keys(aggregates('')) as readonly Aggregate[];

function select(names: readonly Aggregate[], sqlOf: (name: Aggregate) => string): string {
  return names
    .map((name) => `${binaryAggregates.includes(name) ? asText(sqlOf(name)) : sqlOf(name)} AS ${name}`)
    .join(',\n    ');
}

export const indexColumns = (model: string) => `
    ${select(
      pageColumns.filter((name) => name !== 'signs'),
      (name) => aggregates(model)[name],
    )},
    ${vectorColumn(`embedding_model = ${model}`)}`;

/** The same with the signs of vectors instead of vectors. */
export const signColumns = (model: string) => `
    ${select(pageColumns, (name) => aggregates(model)[name])}, '' AS vectors`;

/** Reads the same from a stored page. */
export const storedColumns = `${select(pageColumns, (name) => name)}, '' AS vectors`;

/** The values of a page to store, in the order of `pageColumns`. */
export const pageValues = (model: string) => pageColumns.map((name) => aggregates(model)[name]).join(',\n    ');

export const vectorColumn = (condition: string) => `
    ${asText(together('substr(halfvec_send(embedding), 5)', condition))} AS vectors`;

export function toIndexRows(row: ColumnsRow, dimension: number): IndexRows {
  const { count } = row;
  const records = fromText(row.records);
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  const rows: IndexRows = {
    count,
    revisions: new Float64Array(count),
    seqs: new Float64Array(count),
    occurredAt: new Float64Array(count),
    expiresAt: new Float64Array(count),
    pinned: new Uint8Array(count),
    traits: new Int32Array(count),
    termCounts: new Int32Array(count),
    kinds: splitLines(row.kinds, count),
    sessionIds: splitLines(row.session_ids, count),
    agentIds: splitLines(row.agent_ids, count),
    terms: fromText(row.terms),
    termOffsets: new Int32Array(count + 1),
    vectors: new Float32Array(),
    signs: null,
    embedded: new Uint8Array(count),
    marks: readMarkRecords(row),
  };
  for (let index = 0, at = 0; index < count; index++, at += recordBytes) {
    rows.revisions[index] = readBigint(view, at);
    rows.seqs[index] = readBigint(view, at + 8);
    rows.occurredAt[index] = readMilliseconds(view, at + 16);
    rows.expiresAt[index] = readMilliseconds(view, at + 24);
    rows.traits[index] = view.getInt32(at + 32);
    rows.termCounts[index] = view.getInt32(at + 36);
    rows.termOffsets[index + 1] = (rows.termOffsets[index] ?? 0) + view.getInt32(at + 40);
    rows.pinned[index] = view.getUint8(at + 44);
    rows.embedded[index] = view.getUint8(at + 45);
  }
  const { embedded } = rows;
  if (row.signs !== undefined) {
    const bytes = spread<Uint8Array>(
      fromText(row.signs),
      embedded,
      Math.ceil(dimension / 8),
      (length) => new Uint8Array(length),
    );
    return { ...rows, signs: bytes };
  }
  const vectors = spread(readVectors(row.vectors), embedded, dimension, (length) => new Float32Array(length));
  return { ...rows, vectors };
}

export function readVectors(base64: string): Float32Array {
  return readHalves(fromText(base64));
}

/** Rows without a vector have no values and get zeros. */
function spread<T extends { length: number; set(from: T, at: number): void; subarray(from: number, to: number): T }>(
  values: T,
  embedded: Uint8Array,
  perRow: number,
  create: (length: number) => T,
): T {
  if (values.length === embedded.length * perRow) return values;
  const all = create(embedded.length * perRow);
  let at = 0;
  for (let index = 0; index < embedded.length; index++) {
    if (embedded[index] === 0) continue;
    all.set(values.subarray(at, at + perRow), index * perRow);
    at += perRow;
  }
  return all;
}

/** Neighbouring rows with the same value share one string: the garbage collector need not follow a hundred thousand. */
function splitLines(text: string, count: number): string[] {
  const lines: string[] = new Array(count);
  let line = '';
  for (let index = 0, from = 0; index < count; index++) {
    if (!isLine(text, from, line)) {
      const end = text.indexOf('\n', from);
      line = text.slice(from, end === -1 ? text.length : end);
    }
    lines[index] = line;
    from += line.length + 1;
  }
  return lines;
}

/** Returns whether the line that starts there is the given one. */
function isLine(text: string, from: number, line: string): boolean {
  const end = from + line.length;
  return text.startsWith(line, from) && (end === text.length || text[end] === '\n');
}
