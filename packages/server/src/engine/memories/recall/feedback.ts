import type { Segment } from '../index/segment.js';
import type { RankInput } from './rank-input.js';
import type { ScopeRows } from './scan.js';

/** Of a session, at most so many turns before and after. */
const farthestTurn = 50;

interface ScoredRow {
  row: number;
  raw: number;
}

/**
 * Scores the best rows once more for how near they are to what the very best are about. A message says little of what it is about
 * ("Good, let's do that next"), and the sessions of what it matches say more. `best`: the best rows, best first. Returns what is
 * added, by row.
 */
export function feedbackOf(input: RankInput, best: readonly ScoredRow[]): ReadonlyMap<number, number> {
  const { scope, weights } = input;
  const subject = subjectOf(best.slice(0, weights.feedbackSeeds), input);
  const added = new Map<number, number>();
  if (subject === undefined) return added;
  let sum = 0;
  for (const { row } of best) {
    const vector = vectorOf(scope, row);
    if (vector === undefined) continue;
    const near = dot(vector, subject);
    added.set(row, near);
    sum += near;
  }
  const mean = sum / Math.max(1, added.size);
  let nearest = 0;
  for (const near of added.values()) nearest = Math.max(nearest, near - mean);
  for (const [row, near] of added)
    added.set(row, nearest === 0 ? 0 : (weights.feedback * Math.max(0, near - mean)) / nearest);
  return added;
}

/** Returns the mean vector of the rows' sessions, those of better rows weighted more. */
function subjectOf(seeds: readonly ScoredRow[], { scope, allRead }: RankInput): Float32Array | undefined {
  let subject: Float32Array | undefined;
  if (!allRead) return undefined;
  for (const { row, raw } of seeds) {
    const turns = sessionRows(scope, row).flatMap((one) => vectorOf(scope, one) ?? []);
    for (const vector of turns) {
      subject ??= new Float32Array(vector.length);
      for (let i = 0; i < vector.length; i++)
        subject[i] = (subject[i] as number) + (raw * (vector[i] as number)) / turns.length;
    }
  }
  return subject;
}

/** Returns the row and the rows of its session that are searched too. */
function sessionRows({ parts, bases, allowed }: ScopeRows, row: number): number[] {
  const { segment, base } = partOf({ parts, bases }, row);
  const rows = [row];
  for (const links of [segment.previous, segment.next]) {
    let slot = links[row - base] as number;
    for (let steps = 0; slot !== -1 && steps < farthestTurn; steps++) {
      if (allowed[base + slot] === 1) rows.push(base + slot);
      slot = links[slot] as number;
    }
  }
  return rows;
}

function vectorOf(scope: ScopeRows, row: number): Float32Array | undefined {
  const { segment, base } = partOf(scope, row);
  const { vectors, embedded } = segment;
  const slot = row - base;
  if (embedded[slot] !== 1 || vectors.dimension === 0) return undefined;
  return vectors.numbers.subarray(slot * vectors.dimension, (slot + 1) * vectors.dimension);
}

function partOf({ parts, bases }: Pick<ScopeRows, 'parts' | 'bases'>, row: number): { segment: Segment; base: number } {
  let number = 0;
  while (row >= (bases[number + 1] ?? Number.POSITIVE_INFINITY)) number += 1;
  return { segment: (parts[number] as ScopeRows['parts'][number]).segment, base: bases[number] as number };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
