import { describe, expect, it } from 'vitest';
import type { IndexPage } from '../../../ports/memory-index.js';
import { Segment } from '../index/segment.js';
import { compareSigns, cosines, mixSentences } from './cosines.js';
import { collectRows } from './scan.js';

const dimension = 64;

/** Deterministic, so that a failure can be reproduced. */
function randomVectors(count: number, seed: number): Float32Array {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const vectors = Float32Array.from({ length: count * dimension }, next);
  for (let at = 0; at < vectors.length; at += dimension) {
    const vector = vectors.subarray(at, at + dimension);
    const length = Math.hypot(...vector);
    for (let i = 0; i < dimension; i++) vector[i] = (vector[i] ?? 0) / length;
  }
  return vectors;
}

function segmentOf(count: number, vectors: Float32Array): Segment {
  const numbers = Float64Array.from({ length: count }, (_, index) => index + 1);
  const nothing = numbers.map(() => Number.NaN);
  const texts = Array.from({ length: count }, () => '');
  const page: IndexPage = {
    rows: {
      count,
      revisions: numbers,
      seqs: numbers,
      occurredAt: numbers,
      expiresAt: nothing,
      pinned: new Uint8Array(count),
      traits: new Int32Array(count),
      termCounts: new Int32Array(count),
      kinds: texts,
      sessionIds: texts,
      agentIds: texts,
      terms: new Uint8Array(),
      termOffsets: new Int32Array(count + 1),
      vectors,
      signs: null,
      embedded: new Uint8Array(count).fill(1),
      marks: [],
    },
    removed: [],
    upTo: count,
    complete: true,
  };
  const segment = new Segment(dimension);
  segment.apply(page);
  return segment;
}

function cosinesOf(segment: Segment, query: Float32Array): Float32Array {
  const scope = collectRows([{ segment }], 0);
  return cosines(scope, query, compareSigns(scope, query, { fromRows: 20_000, exactRows: 2000 }));
}

function exact(vectors: Float32Array, query: Float32Array): number[] {
  return Array.from({ length: vectors.length / dimension }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < dimension; i++) sum += (vectors[row * dimension + i] ?? 0) * (query[i] ?? 0);
    return sum;
  });
}

function best(values: ArrayLike<number>, count: number): number[] {
  return Array.from({ length: values.length }, (_, row) => row)
    .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
    .slice(0, count);
}

describe('cosines', () => {
  it('are exact in a small scope', () => {
    const vectors = randomVectors(300, 1);
    const query = randomVectors(1, 2);
    const found = cosinesOf(segmentOf(300, vectors), query);
    for (const [row, value] of exact(vectors, query).entries()) expect(found[row]).toBeCloseTo(value, 5);
  });

  it('find the same nearest rows in a large scope as an exact search', () => {
    const count = 30_000;
    const vectors = randomVectors(count, 3);
    const query = randomVectors(1, 4);
    const found = cosinesOf(segmentOf(count, vectors), query);
    const wanted = exact(vectors, query);
    const nearest = best(wanted, 50);
    const missed = nearest.filter((row) => !best(found, 50).includes(row));
    expect(missed.length).toBeLessThanOrEqual(2);
    for (const row of nearest.slice(0, 10)) expect(found[row]).toBeCloseTo(wanted[row] ?? 0, 5);
  });
});

describe('the cosines with a message', () => {
  it('are partly those of the sentence that is nearest to each row', () => {
    const vectors = randomVectors(3, 5);
    const scope = collectRows([{ segment: segmentOf(3, vectors) }], 0);
    const whole = Float32Array.of(0.2, 0.4, Number.NaN);
    const own = vectors.slice(0, dimension);
    const opposite = own.map((one) => -one);
    const [first, second, missing] = mixSentences(scope, whole, [opposite, own], 0.5);
    expect(first).toBeCloseTo(0.6);
    const near = cosines(scope, own, undefined)[1] ?? Number.NaN;
    expect(second).toBeCloseTo(0.2 + 0.5 * Math.abs(near));
    expect(missing).toBeNaN();
    expect(mixSentences(scope, whole, [], 0.5)).toBe(whole);
  });
});
