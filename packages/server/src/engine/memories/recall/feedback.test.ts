import { describe, expect, it } from 'vitest';
import type { IndexPage } from '../../../ports/memory-index.js';
import { Segment } from '../index/segment.js';
import { feedbackOf } from './feedback.js';
import type { RankInput } from './rank-input.js';
import { collectRows } from './scan.js';
import { defaultWeights } from './weights.js';

/** The first two rows are one session about the first axis; its second turn is about the second axis. */
const vectors = [
  [1, 0, 0],
  [0, 1, 0],
  [0.6, 0.8, 0],
  [0.6, 0, 0.8],
  [0, 0, 1],
];

function inputOf(allRead: boolean, test?: (slot: number) => boolean): RankInput {
  const count = vectors.length;
  const numbers = Float64Array.from({ length: count }, (_, index) => index + 1);
  const texts = Array.from({ length: count }, () => '');
  const segment = new Segment(3);
  const page: IndexPage = {
    rows: {
      count,
      revisions: numbers,
      seqs: numbers,
      occurredAt: numbers,
      expiresAt: numbers.map(() => Number.NaN),
      pinned: new Uint8Array(count),
      traits: new Int32Array(count),
      termCounts: new Int32Array(count),
      kinds: texts,
      sessionIds: ['a', 'a', 'b', 'c', 'd'],
      agentIds: texts,
      terms: new Uint8Array(),
      termOffsets: new Int32Array(count + 1),
      vectors: Float32Array.from(vectors.flat()),
      signs: null,
      embedded: new Uint8Array(count).fill(1),
      marks: [],
    },
    removed: [],
    upTo: count,
    complete: true,
  };
  segment.apply(page);
  const scope = collectRows([{ segment, test: test && ((_, slot) => test(slot)) }], 0);
  const weights = { ...defaultWeights, feedbackSeeds: 1 };
  return {
    ...{ scope, weights, allRead, plan: undefined, matches: undefined, cosines: undefined, truth: undefined },
    ...{ now: 0, limit: 10, pinnedFirst: false },
  };
}

const best = [0, 3, 2, 4].map((row) => ({ row, raw: 1 }));

describe('feedback', () => {
  it('raises rows that are near to the whole session of the best one', () => {
    const added = feedbackOf(inputOf(true), best);
    expect(added.get(2)).toBeCloseTo(defaultWeights.feedback);
    expect(added.get(2)).toBeGreaterThan(added.get(3) ?? Number.NaN);
    expect(added.get(4)).toBe(0);
  });

  it('does not read turns that are not searched', () => {
    const added = feedbackOf(
      inputOf(true, (slot) => slot !== 1),
      best,
    );
    expect(added.get(0)).toBeCloseTo(defaultWeights.feedback);
    expect(added.get(2)).toBe(added.get(3));
  });

  it('adds nothing while vectors are missing', () => {
    expect(feedbackOf(inputOf(false), best).size).toBe(0);
  });
});
