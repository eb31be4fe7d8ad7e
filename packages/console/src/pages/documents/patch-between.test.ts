import { applyPatch, type PatchOperation } from '@memhall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../parts/json-value.js';
import { mergeJson, withValue } from './merge-json.js';
import { patchBetween } from './patch-between.js';

/** Few names and values, so that two values often have something in common. */
const leaf = fc.oneof(fc.constantFrom('a', 'b', '', 'x/~y'), fc.integer({ min: 0, max: 3 }), fc.constant(null));
const { value } = fc.letrec<{ value: Json; list: Json[]; object: Record<string, Json> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '~', '__proto__x'), tie('value'), { maxKeys: 4 }),
}));

const apply = (before: Json, ops: readonly unknown[]) =>
  (applyPatch({ content: before } as never, ops as PatchOperation[]) as { content: Json }).content;

describe('patchBetween', () => {
  it('returns operations that lead from one value to the other', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(apply(before, patchBetween(before, after, ['content']))).toEqual(after);
      }),
    );
  });

  it('touches only what differs, and appends at the end of lists', () => {
    expect(patchBetween({ a: [1, 2], b: 'x' }, { a: [1, 2, 3], b: 'x' })).toEqual([
      { op: 'add', path: '/a/-', value: 3 },
    ]);
    expect(patchBetween([1, 2, 3, 4], [1, 4])).toEqual([
      { op: 'remove', path: '/2' },
      { op: 'remove', path: '/1' },
    ]);
    expect(patchBetween({ a: [{ t: 'x', c: 1 }] }, { a: [{ t: 'y', c: 1 }] })).toEqual([
      { op: 'replace', path: '/a/0/t', value: 'y' },
    ]);
  });
});

describe('mergeJson', () => {
  it('takes what only one side changed, without a conflict', () => {
    fc.assert(
      fc.property(value, value, (base, changed) => {
        expect(mergeJson(base, changed, base)).toEqual({ value: changed, conflicts: [] });
        expect(mergeJson(base, base, changed)).toEqual({ value: changed, conflicts: [] });
        expect(mergeJson(base, changed, changed)).toEqual({ value: changed, conflicts: [] });
      }),
    );
  });

  it('has no conflict with the sides exchanged that it does not have as they are', () => {
    fc.assert(
      fc.property(value, value, value, (base, mine, theirs) => {
        const places = mergeJson(base, mine, theirs).conflicts.map(({ place }) => place.join('/'));
        const exchanged = mergeJson(base, theirs, mine).conflicts.map(({ place }) => place.join('/'));
        expect(exchanged.sort()).toEqual(places.sort());
      }),
    );
  });

  it('keeps additions of both to a list, and both places of an object', () => {
    const base = { list: ['a'], one: 1, two: 2 };
    const mine = { list: ['a', 'mine', 'both'], one: 10, two: 2 };
    const theirs = { list: ['a', 'both', 'theirs'], one: 1, three: 3 };
    expect(mergeJson(base, mine, theirs)).toEqual({
      value: { list: ['a', 'both', 'theirs', 'mine'], one: 10, three: 3 },
      conflicts: [],
    });
  });

  it('names the place that both changed, with all three values', () => {
    const { conflicts, value: merged } = mergeJson({ a: { b: 1 } }, { a: { b: 2 } }, { a: {} });
    expect(conflicts).toEqual([{ place: ['a', 'b'], base: 1, mine: 2, theirs: undefined }]);
    expect(withValue(merged, ['a', 'b'], undefined)).toEqual({ a: {} });
  });
});
