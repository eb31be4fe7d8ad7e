import type { Segment } from '../index/segment.js';
import type { ScopeStatistics } from './query-plan.js';

export type RowTest = (segment: Segment, slot: number) => boolean;

/** Statistics of a partition of which only candidates are loaded. */
interface Background {
  count: number;
  totalTerms: number;
  /** By hash. */
  frequencies: ReadonlyMap<number, number>;
  /** Mean cosine of the query with the partition's memories, reduced for short texts as in ranking. */
  meanCosine: number;
}

/** One searched partition: all its rows, or candidates with the statistics of the whole partition. */
export interface ScopePart {
  segment: Segment;
  /** Rows that fail it are used only as neighbours. */
  test?: RowTest | undefined;
  /** By slot, if already known. */
  cosines?: Float32Array | undefined;
  background?: Background | undefined;
  /** The `seq` of a row that is not a candidate and was added to be looked at. */
  unproposed?: number | undefined;
}

/** The rows of all searched segments, numbered in one sequence for ranking. */
export interface ScopeRows {
  parts: readonly ScopePart[];
  /** Number of each part's first row; one more entry than parts. */
  bases: readonly number[];
  /** 1 for rows that are ranked: not holes, not expired and not filtered out. */
  allowed: Uint8Array;
  /** Number of words of each ranked row. */
  termCounts: Int32Array;
  /** Memories in scope; more than the rows if a part has a background. */
  count: number;
  totalTerms: number;
}

/** More than any database has memories. */
const mostArrivals = 2 ** 41;

/** Returns a number that grows with the arrival of a row. It does not change with the memory; rows of a later part are later. */
export function arrivalOf({ parts, bases }: Pick<ScopeRows, 'parts' | 'bases'>, row: number): number {
  let number = 0;
  while (row >= (bases[number + 1] ?? 0)) number += 1;
  return number * mostArrivals + (parts[number]?.segment.seqs[row - (bases[number] ?? 0)] ?? 0);
}

export function collectRows(parts: readonly ScopePart[], now: number): ScopeRows {
  const bases = [0];
  for (const { segment } of parts) bases.push((bases.at(-1) ?? 0) + segment.size);
  const size = bases.at(-1) ?? 0;
  const rows = {
    parts,
    bases,
    allowed: new Uint8Array(size),
    termCounts: new Int32Array(size),
    count: 0,
    totalTerms: 0,
  };
  for (const [number, part] of parts.entries()) {
    const own = allowRows(part, now, rows, bases[number] ?? 0);
    rows.count += part.background?.count ?? own.count;
    rows.totalTerms += part.background?.totalTerms ?? own.totalTerms;
  }
  return rows;
}

function allowRows(
  { segment, test }: ScopePart,
  now: number,
  { allowed, termCounts }: Pick<ScopeRows, 'allowed' | 'termCounts'>,
  base: number,
): { count: number; totalTerms: number } {
  let count = 0;
  let totalTerms = 0;
  for (let slot = 0; slot < segment.size; slot++) {
    // A comparison with NaN is false, so rows without an expiry stay.
    if (segment.alive[slot] === 0 || (segment.expiresAt[slot] ?? 0) <= now) continue;
    if (test !== undefined && !test(segment, slot)) continue;
    const terms = segment.termCounts[slot] ?? 0;
    allowed[base + slot] = 1;
    termCounts[base + slot] = terms;
    count += 1;
    totalTerms += terms;
  }
  return { count, totalTerms };
}

/** Occurrences of the wanted terms: parallel lists of row, term (index into `terms`) and count. */
export interface TermMatches {
  rows: number[];
  places: number[];
  counts: number[];
  /** Hashes of the wanted terms. */
  terms: readonly number[];
  statistics: ScopeStatistics;
}

const maskSize = 4096;

/** Scans all terms once. The last twelve bits of the hash rule out almost every term. */
export function findTerms(scope: ScopeRows, hashes: readonly number[]): TermMatches {
  const terms = [...new Set(hashes)];
  const wanted = new Map(terms.map((hash, place) => [hash, place]));
  const mask = new Uint8Array(maskSize);
  for (const hash of terms) mask[hash & (maskSize - 1)] = 1;
  const matches = { rows: [] as number[], places: [] as number[], counts: [] as number[] };
  const frequencies = new Float64Array(terms.length);
  for (const [number, { segment, background }] of scope.parts.entries()) {
    const before = matches.places.length;
    matchSegment(segment, scope.allowed, scope.bases[number] ?? 0, { wanted, mask }, matches);
    for (let place = 0; background !== undefined && place < terms.length; place++)
      frequencies[place] = (frequencies[place] ?? 0) + (background.frequencies.get(terms[place] as number) ?? 0);
    for (let at = before; background === undefined && at < matches.places.length; at++) {
      const place = matches.places[at] as number;
      frequencies[place] = (frequencies[place] as number) + 1;
    }
  }
  const statistics = {
    count: scope.count,
    averageTerms: scope.count === 0 ? 0 : scope.totalTerms / scope.count,
    frequency: (hash: number) => frequencies[wanted.get(hash) ?? -1] ?? 0,
  };
  return { ...matches, terms, statistics };
}

function matchSegment(
  { hashes, counts, termStarts, termEnds, size }: Segment,
  allowed: Uint8Array,
  base: number,
  { wanted, mask }: { wanted: ReadonlyMap<number, number>; mask: Uint8Array },
  matches: Pick<TermMatches, 'rows' | 'places' | 'counts'>,
): void {
  for (let slot = 0; slot < size; slot++) {
    if (allowed[base + slot] === 0) continue;
    const end = termEnds[slot] as number;
    for (let at = termStarts[slot] as number; at < end; at++) {
      const hash = hashes[at] as number;
      if (mask[hash & (maskSize - 1)] === 0) continue;
      const place = wanted.get(hash);
      if (place === undefined) continue;
      matches.rows.push(base + slot);
      matches.places.push(place);
      matches.counts.push(counts[at] as number);
    }
  }
}
