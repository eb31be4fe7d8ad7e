import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndexPage } from '../../../ports/memory-index.js';
import { hashTerm, packTerms } from '../analysis/packed-terms.js';
import { collectRows, findTerms } from '../recall/scan.js';
import { Segment } from './segment.js';

interface Row {
  revision: number;
  word: string;
  session: string;
  at: number;
}

function pageOf(rows: Row[], removed: number[], upTo: number): IndexPage {
  const terms = rows.map(({ word }) => packTerms([word, word], []));
  const termOffsets = Int32Array.from([
    0,
    ...terms.map((_, index) => terms.slice(0, index + 1).reduce((sum, one) => sum + one.length, 0)),
  ]);
  return {
    rows: {
      count: rows.length,
      revisions: Float64Array.from(rows.map(({ revision }) => revision)),
      seqs: Float64Array.from(rows.map(({ revision }) => revision)),
      occurredAt: Float64Array.from(rows.map(({ at }) => at)),
      expiresAt: Float64Array.from(rows.map(() => Number.NaN)),
      pinned: new Uint8Array(rows.length),
      traits: new Int32Array(rows.length),
      termCounts: Int32Array.from(rows.map(() => 2)),
      kinds: rows.map(() => 'turn'),
      sessionIds: rows.map(({ session }) => session),
      agentIds: rows.map(() => ''),
      terms: Uint8Array.from(terms.flatMap((one) => [...one])),
      termOffsets,
      vectors: Float32Array.from(rows.flatMap(({ revision }) => [revision, 1])),
      embedded: new Uint8Array(rows.length).fill(1),
    },
    removed,
    upTo,
    complete: true,
  };
}

const words = ['tea', 'milk', 'sea', 'tree'];

const addition = fc.record({
  word: fc.constantFrom(...words),
  session: fc.constantFrom('', 's1', 's2'),
  at: fc.integer({ min: 0, max: 50 }),
});
const step = fc.record({ add: fc.array(addition, { maxLength: 30 }), drop: fc.array(fc.nat(), { maxLength: 20 }) });
type Step = { add: Omit<Row, 'revision'>[]; drop: number[] };

/** Applies steps to a segment and to a plain list. */
function replay(steps: readonly Step[]): { segment: Segment; expected: Row[] } {
  const segment = new Segment(2);
  let expected: Row[] = [];
  let revision = 0;
  for (const { add, drop } of steps) {
    const dropped = drop.flatMap((pick) => expected[pick % Math.max(1, expected.length)]?.revision ?? []);
    const added = add.map((row) => ({ ...row, revision: ++revision }));
    expected = [...expected.filter((row) => !dropped.includes(row.revision)), ...added];
    segment.apply(pageOf(added, dropped, revision));
  }
  return { segment, expected };
}

describe('Segment', () => {
  it('contains the words of present rows only', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { segment, expected } = replay(steps);
        expect(segment.count).toBe(expected.length);
        const scope = collectRows([{ segment }], 0);
        for (const word of words) {
          const matches = findTerms(scope, [hashTerm(word)]);
          const found = matches.rows.map((row) => segment.revisions[row]).sort((a = 0, b = 0) => a - b);
          expect(found).toEqual(expected.filter((row) => row.word === word).map((row) => row.revision));
          expect(matches.statistics.frequency(hashTerm(word))).toBe(found.length);
        }
      }),
    );
  });

  it('keeps vectors with their rows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { segment, expected } = replay(steps);
        for (const { revision } of expected) {
          const slot = segment.slotOf(revision) ?? -1;
          expect([...segment.vectors.slice(2 * slot, 2 * slot + 2)]).toEqual([revision, 1]);
        }
      }),
    );
  });

  it('links sessions in order of time, then arrival', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom('s1', 's2'), (steps, session) => {
        const { segment, expected } = replay(steps);
        const order = expected.filter((row) => row.session === session);
        order.sort((a, b) => a.at - b.at || a.revision - b.revision);
        const linked = order.map(({ revision }) => segment.next[segment.slotOf(revision) ?? -1] ?? -1);
        const next = linked.map((slot) => (slot === -1 ? undefined : segment.revisions[slot]));
        expect(next).toEqual(order.map((_, place) => order[place + 1]?.revision));
      }),
    );
  });
});
