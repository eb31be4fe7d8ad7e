import type { Segment } from '../index/segment.js';
import type { ScopeStatistics } from './query-plan.js';

export type RowTest = (segment: Segment, slot: number) => boolean;

/** What is known of a partition of which only candidates are at hand. */
export interface Background {
  count: number;
  totalTerms: number;
  /** By hash. */
  frequencies: ReadonlyMap<number, number>;
  /** Of the query with the partition's memories, held back as ranking does. */
  meanCosine: number;
}

/** One partition of what is searched: all its rows, or candidates before a background. */
export interface ScopePart {
  segment: Segment;
  /** Rows that fail it take no part but as neighbours. */
  test?: RowTest | undefined;
  /** By slot, where they are known already. */
  cosines?: Float32Array | undefined;
  background?: Background | undefined;
}

/** A slot of one of several segments. Ranking numbers the rows of all of them in one sequence. */
export interface ScopeRows {
  parts: readonly ScopePart[];
  /** Number of each part's first row; one more entry than parts. */
  bases: readonly number[];
  /** 1 for rows that take part: neither holes, nor expired, nor filtered out. */
  allowed: Uint8Array;
  /** Words of each row that takes part. */
  termCounts: Int32Array;
  /** Memories in scope, which are more than the rows where there is a background. */
  count: number;
  totalTerms: number;
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
    // A comparison with NaN is false: rows without an expiry stay.
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

/** Where wanted terms occur: parallel lists of row, term and count. */
export interface TermMatches {
  rows: number[];
  hashes: number[];
  counts: number[];
  statistics: ScopeStatistics;
}

const maskSize = 4096;

/** One pass over all terms. Almost every term is passed over by its last twelve bits. */
export function findTerms(scope: ScopeRows, hashes: readonly number[]): TermMatches {
  const wanted = new Set(hashes);
  const mask = new Uint8Array(maskSize);
  for (const hash of wanted) mask[hash & (maskSize - 1)] = 1;
  const matches = { rows: [] as number[], hashes: [] as number[], counts: [] as number[] };
  const frequencies = new Map<number, number>();
  const count = (hash: number, memories: number) => frequencies.set(hash, (frequencies.get(hash) ?? 0) + memories);
  for (const [number, { segment, background }] of scope.parts.entries()) {
    const base = scope.bases[number] ?? 0;
    const before = matches.hashes.length;
    for (let slot = 0; slot < segment.size; slot++) {
      if (scope.allowed[base + slot] === 1) matchSlot(segment, slot, base, { wanted, mask }, matches);
    }
    if (background !== undefined) for (const hash of wanted) count(hash, background.frequencies.get(hash) ?? 0);
    else for (let at = before; at < matches.hashes.length; at++) count(matches.hashes[at] as number, 1);
  }
  const statistics = {
    count: scope.count,
    averageTerms: scope.count === 0 ? 0 : scope.totalTerms / scope.count,
    frequency: (hash: number) => frequencies.get(hash) ?? 0,
  };
  return { ...matches, statistics };
}

function matchSlot(
  segment: Segment,
  slot: number,
  base: number,
  { wanted, mask }: { wanted: ReadonlySet<number>; mask: Uint8Array },
  matches: Pick<TermMatches, 'rows' | 'hashes' | 'counts'>,
): void {
  const { hashes, counts } = segment;
  const end = segment.termEnds[slot] ?? 0;
  for (let at = segment.termStarts[slot] ?? 0; at < end; at++) {
    const hash = hashes[at] ?? 0;
    if (mask[hash & (maskSize - 1)] === 0 || !wanted.has(hash)) continue;
    matches.rows.push(base + slot);
    matches.hashes.push(hash);
    matches.counts.push(counts[at] ?? 0);
  }
}
