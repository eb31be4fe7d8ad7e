import type { Segment } from '../index/segment.js';
import type { ScopeStatistics } from './query-plan.js';

/** A slot of one of several segments. Ranking numbers the rows of all of them in one sequence. */
export interface ScopeRows {
  segments: readonly Segment[];
  /** Number of each segment's first row; one more entry than segments. */
  bases: readonly number[];
  /** 1 for rows that take part: neither holes, nor expired, nor filtered out. */
  allowed: Uint8Array;
  /** Words of each row that takes part. */
  termCounts: Int32Array;
  count: number;
  totalTerms: number;
}

export type RowTest = (segment: Segment, slot: number) => boolean;

export function collectRows(segments: readonly Segment[], now: number, test: RowTest | undefined): ScopeRows {
  const bases = [0];
  for (const segment of segments) bases.push((bases.at(-1) ?? 0) + segment.size);
  const size = bases.at(-1) ?? 0;
  const rows = {
    segments,
    bases,
    allowed: new Uint8Array(size),
    termCounts: new Int32Array(size),
    count: 0,
    totalTerms: 0,
  };
  for (const [number, segment] of segments.entries()) {
    const base = bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      // A comparison with NaN is false: rows without an expiry stay.
      if (segment.alive[slot] === 0 || (segment.expiresAt[slot] ?? 0) <= now) continue;
      if (test !== undefined && !test(segment, slot)) continue;
      const terms = segment.termCounts[slot] ?? 0;
      rows.allowed[base + slot] = 1;
      rows.termCounts[base + slot] = terms;
      rows.count += 1;
      rows.totalTerms += terms;
    }
  }
  return rows;
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
  for (const [number, segment] of scope.segments.entries()) {
    const base = scope.bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      if (scope.allowed[base + slot] === 1) matchSlot(segment, slot, base, { wanted, mask }, matches);
    }
  }
  const frequencies = new Map<number, number>();
  for (const hash of matches.hashes) frequencies.set(hash, (frequencies.get(hash) ?? 0) + 1);
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
