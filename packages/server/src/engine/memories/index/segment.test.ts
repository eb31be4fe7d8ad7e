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
      signs: null,
      embedded: new Uint8Array(rows.length).fill(1),
      marks: [],
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

/** All four combinations of signs occur. */
const vectorFor = (revision: number) => Float32Array.of((revision % 2) - 0.5, (revision % 3) - 0.5);

function withVectors(page: IndexPage): IndexPage {
  const vectors = Float32Array.from([...page.rows.revisions].flatMap((revision) => [...vectorFor(revision)]));
  return { ...page, rows: { ...page.rows, vectors } };
}

/** One byte per row: the first dimension is the highest bit. */
function signsOfRows({ rows }: IndexPage): Uint8Array {
  return Uint8Array.from(rows.revisions, (revision) => {
    const [first = 0, second = 0] = vectorFor(revision);
    return (first > 0 ? 0x80 : 0) | (second > 0 ? 0x40 : 0);
  });
}

function bitsOf(segment: Segment): number[] {
  return [...segment.vectors.signs(segment.size).subarray(0, segment.size)];
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
          expect([...segment.vectors.numbers.slice(2 * slot, 2 * slot + 2)]).toEqual([revision, 1]);
        }
      }),
    );
  });

  it('has the same signs and vectors whether vectors come with the rows or later', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat(), ({ length }, seed) => {
        const [whole, late] = [new Segment(2), new Segment(2)];
        let known: number[] = [];
        for (let part = 0, revision = 0; part < length; part++) {
          const rows = Array.from({ length: 40 }, () => ({ revision: ++revision, word: 'tea', session: '', at: 0 }));
          const page = withVectors(
            pageOf(
              rows,
              known.filter((one) => (one * seed) % 7 < 4),
              revision,
            ),
          );
          known = [...known.filter((one) => (one * seed) % 7 >= 4), ...rows.map((row) => row.revision)];
          whole.apply(page);
          late.apply({ ...page, rows: { ...page.rows, vectors: new Float32Array(), signs: signsOfRows(page) } });
          late.setVectors({ revisions: Float64Array.of(revision), vectors: vectorFor(revision) });
        }
        expect(late.vectors.lacking).toBe(known.filter((revision) => revision % 40 !== 0).length);
        expect(bitsOf(late)).toEqual(bitsOf(whole));
        late.setVectors({
          revisions: Float64Array.from(known),
          vectors: Float32Array.from(known.flatMap((revision) => [...vectorFor(revision)])),
        });
        expect(late.vectors.lacking).toBe(0);
        for (const revision of known) {
          const slot = late.slotOf(revision) ?? -1;
          expect([...late.vectors.numbers.slice(2 * slot, 2 * slot + 2)]).toEqual([...vectorFor(revision)]);
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
