import { describe, expect, it } from 'vitest';
import { freezeDeeply } from '../test/support/arbitrary-patch.js';
import { rebase } from '../test/support/rebase.js';
import type { Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { type RebaseConflict, rebasePatch } from './rebase-patch.js';

function conflictOf(base: Json, latest: Json, ...ops: PatchOperation[]): RebaseConflict {
  const outcome = rebasePatch({ base: freezeDeeply(base), latest: freezeDeeply(latest), ops: freezeDeeply(ops) });
  if ('ops' in outcome) throw new Error(`No conflict: ${JSON.stringify(outcome.ops)}`);
  return outcome.conflict;
}

describe('members', () => {
  it('are set next to members that others set', () => {
    expect(rebase({ a: 1, b: 1 }, { a: 2, b: 1, c: 3 }, { op: 'replace', path: '/b', value: 9 })).toEqual({
      a: 2,
      b: 9,
      c: 3,
    });
    expect(rebase({ o: { a: 1 } }, { o: { a: 2 } }, { op: 'add', path: '/o/b', value: 9 })).toEqual({
      o: { a: 2, b: 9 },
    });
  });

  it.each<[string, Json, Json, PatchOperation]>([
    ['replace', { a: 1 }, { a: 2 }, { op: 'replace', path: '/a', value: 3 }],
    ['replace a removed member', { a: 1 }, {}, { op: 'replace', path: '/a', value: 3 }],
    ['remove', { a: 1 }, { a: 2 }, { op: 'remove', path: '/a' }],
    ['add over', { a: 1 }, { a: 2 }, { op: 'add', path: '/a', value: 3 }],
    ['add over a removed member', { a: 1 }, {}, { op: 'add', path: '/a', value: 3 }],
    ['add a member that others added', {}, { a: 2 }, { op: 'add', path: '/a', value: 3 }],
    [
      'replace a member that others changed inside',
      { a: { b: 1 } },
      { a: { b: 2 } },
      { op: 'replace', path: '/a', value: {} },
    ],
    [
      'remove a member that others changed inside',
      { a: { b: [1] } },
      { a: { b: [1, 2] } },
      { op: 'remove', path: '/a' },
    ],
    ['copy', { a: 1 }, { a: 2 }, { op: 'copy', from: '/a', path: '/b' }],
    ['move', { a: 1 }, { a: 2 }, { op: 'move', from: '/a', path: '/b' }],
    ['move a removed member', { a: 1 }, {}, { op: 'move', from: '/a', path: '/b' }],
    ['move to the same place', { a: 1 }, { a: 2 }, { op: 'move', from: '/a', path: '/a' }],
  ])('conflict: %s', (_, base, latest, operation) => {
    expect(conflictOf(base, latest, operation)).toEqual({ index: 0, path: '/a', reason: expect.stringMatching(/./) });
  });

  it('conflict if the containing object was removed or is not an object any more', () => {
    const operation: PatchOperation = { op: 'add', path: '/a/b', value: 1 };
    for (const latest of [{}, { a: null }, { a: [] }, { a: 'text' }, null]) {
      expect(conflictOf({ a: {} }, latest, operation)).toMatchObject({ index: 0 });
    }
  });

  it('do not conflict if others made the same change', () => {
    expect(rebase({ a: 1 }, { a: 2, b: 1 }, { op: 'replace', path: '/a', value: 2 })).toEqual({ a: 2, b: 1 });
    expect(rebase({}, { a: [1] }, { op: 'add', path: '/a', value: [1] })).toEqual({ a: [1] });
    expect(rebase({ a: 1, b: 1 }, { b: 1 }, { op: 'remove', path: '/a' })).toEqual({ b: 1 });
  });

  it('conflict if others made the same change and a later operation changes it again', () => {
    const set: PatchOperation = { op: 'add', path: '/a', value: { b: 1 } };
    const latest = { a: { b: 1 } };
    expect(conflictOf({}, latest, set, { op: 'replace', path: '/a', value: 2 })).toMatchObject({
      index: 1,
      path: '/a',
    });
    expect(conflictOf({}, latest, set, { op: 'remove', path: '/a' })).toMatchObject({ index: 1, path: '/a' });
    expect(conflictOf({}, latest, set, { op: 'replace', path: '/a/b', value: 2 })).toMatchObject({
      index: 1,
      path: '/a',
    });
    expect(conflictOf({ o: {} }, { o: latest }, { ...set, path: '/o/a' }, { op: 'remove', path: '/o' })).toMatchObject({
      index: 1,
      path: '/o',
    });
    expect(conflictOf({ a: 1 }, {}, { op: 'remove', path: '/a' }, set)).toMatchObject({ index: 1, path: '/a' });
  });

  it('can be added to a container that both sides created', () => {
    const create: PatchOperation = { op: 'add', path: '/a', value: { list: [] } };
    const append: PatchOperation = { op: 'add', path: '/a/list/-', value: 1 };
    const result = rebase({}, { a: { list: [] } }, create, append, { op: 'add', path: '/a/b', value: 2 });
    expect(result).toEqual({ a: { list: [1], b: 2 } });
  });

  it('conflict as targets of move and copy as well', () => {
    expect(conflictOf({ a: 1 }, { a: 1, b: 2 }, { op: 'move', from: '/a', path: '/b' }).path).toBe('/b');
    expect(conflictOf({ a: 1, b: 1 }, { a: 1, b: 2 }, { op: 'copy', from: '/a', path: '/b' }).path).toBe('/b');
  });

  it('with hostile names are ordinary members', () => {
    const base = JSON.parse('{"__proto__":{"a":1},"constructor":1}');
    const latest = JSON.parse('{"__proto__":{"a":1,"b":2},"constructor":1}');
    const result = rebase(base, latest, { op: 'replace', path: '/__proto__/a', value: 9 });
    expect(JSON.stringify(result)).toBe('{"__proto__":{"a":9,"b":2},"constructor":1}');
  });
});

describe('the whole document', () => {
  it('is replaced only if others left it unchanged or replaced it with the same value', () => {
    expect(conflictOf({ a: 1 }, { a: 2 }, { op: 'replace', path: '', value: 1 })).toMatchObject({ index: 0, path: '' });
    expect(rebase({ a: 1 }, { a: 1 }, { op: 'add', path: '', value: 1 })).toBe(1);
    expect(rebase({ a: 1 }, 1, { op: 'replace', path: '', value: 1 })).toBe(1);
  });
});

describe('test', () => {
  it('must hold in the latest document', () => {
    expect(rebase({ a: 1, b: 1 }, { a: 1, b: 2 }, { op: 'test', path: '/a', value: 1 })).toEqual({ a: 1, b: 2 });
    expect(conflictOf({ a: 1 }, { a: 2 }, { op: 'test', path: '/a', value: 1 })).toMatchObject({
      index: 0,
      path: '/a',
    });
    expect(conflictOf({ a: 1 }, {}, { op: 'test', path: '/a', value: 1 })).toMatchObject({ index: 0, path: '/a' });
  });

  it('follows its element', () => {
    const outcome = rebasePatch({
      base: ['a', 'b'],
      latest: ['x', 'a', 'b'],
      ops: [{ op: 'test', path: '/1', value: 'b' }],
    });
    expect(outcome).toEqual({ ops: [{ op: 'test', path: '/2', value: 'b' }] });
  });
});

describe('elements', () => {
  it('are followed past the insertions and removals of others', () => {
    expect(rebase(['a', 'b', 'c'], ['x', 'b', 'y', 'c'], { op: 'replace', path: '/2', value: 'C' })).toEqual([
      'x',
      'b',
      'y',
      'C',
    ]);
    expect(rebase(['a', 'b', 'c'], ['c'], { op: 'remove', path: '/2' })).toEqual([]);
    expect(rebase(['a', 'b', 'c'], ['c', 'a', 'b'], { op: 'replace', path: '/0', value: 'A' })).toEqual([
      'c',
      'A',
      'b',
    ]);
  });

  it('are followed by changes inside them', () => {
    const base = {
      list: [
        { id: 1, tags: ['x'] },
        { id: 2, tags: [] },
      ],
    };
    const latest = {
      list: [
        { id: 0, tags: [] },
        { id: 1, tags: ['y'] },
        { id: 2, tags: [] },
      ],
    };
    const expected = { list: [...latest.list.slice(0, 2), { id: 2, tags: ['new'] }] };
    expect(rebase(base, latest, { op: 'add', path: '/list/1/tags/-', value: 'new' })).toEqual(expected);
    expect(conflictOf(base, latest, { op: 'add', path: '/list/0/tags/-', value: 'new' }).path).toBe('/list/0');
  });

  it.each<[string, Json, Json, PatchOperation]>([
    ['that were removed', ['a', 'b'], ['a'], { op: 'replace', path: '/1', value: 'B' }],
    ['that were removed by both', ['a', 'b'], ['a'], { op: 'remove', path: '/1' }],
    ['that were changed', [{ a: 1, b: 1 }], [{ a: 2, b: 1 }], { op: 'replace', path: '/0/b', value: 2 }],
    ['that are equal to a removed one', ['a', 'a'], ['a'], { op: 'remove', path: '/0' }],
    ['of which either may have been removed', ['a', 'b', 'a', 'b'], ['a', 'b'], { op: 'remove', path: '/0' }],
    ['that may be either of two equal ones', ['x', 'a', 'y'], ['a', 'n', 'a'], { op: 'remove', path: '/1' }],
    ['that are copied', ['a', 'b'], ['a'], { op: 'copy', from: '/1', path: '/0' }],
    ['that are moved', ['a', 'b'], ['a'], { op: 'move', from: '/1', path: '/0' }],
    ['that are tested', ['a', 'b'], ['a', 'c'], { op: 'test', path: '/1', value: 'b' }],
  ])('conflict: elements %s', (_, base, latest, operation) => {
    expect(conflictOf(base, latest, operation)).toMatchObject({ index: 0 });
  });

  it('that are equal are told apart by order while none was removed', () => {
    expect(rebase(['a', 'x', 'a'], ['n', 'a', 'x', 'a', 'm'], { op: 'replace', path: '/2', value: 'A' })).toEqual([
      'n',
      'a',
      'x',
      'A',
      'm',
    ]);
    expect(rebase([0, 0, 0], [0, 0, 0, 1], { op: 'replace', path: '/1', value: 5 })).toEqual([0, 5, 0, 1]);
  });

  it('are identified by value, regardless of member order', () => {
    expect(
      rebase([{ a: 1, b: 2 }, 'c', 'd'], ['new', { b: 2, a: 1 }, 'd'], { op: 'replace', path: '/0/a', value: 9 }),
    ).toEqual(['new', { a: 9, b: 2 }, 'd']);
  });
});

describe('insertions', () => {
  it('at the end come after elements that others appended', () => {
    expect(rebase(['a'], ['a', 'x'], { op: 'add', path: '/-', value: 'b' })).toEqual(['a', 'x', 'b']);
    expect(rebase(['a'], ['a', 'x'], { op: 'add', path: '/1', value: 'b' })).toEqual(['a', 'x', 'b']);
    expect(rebase(['a'], ['z'], { op: 'add', path: '/-', value: 'b' })).toEqual(['z', 'b']);
  });

  it('at the end of an empty array also come last, and are followed', () => {
    const append: PatchOperation = { op: 'add', path: '/-', value: 'b' };
    expect(rebase([], ['x'], append, { op: 'replace', path: '/0', value: 'B' })).toEqual(['x', 'B']);
  });

  it('of a value that others also appended are kept', () => {
    expect(rebase([], ['same'], { op: 'add', path: '/-', value: 'same' })).toEqual(['same', 'same']);
  });

  it('at the start stay at the start', () => {
    expect(rebase(['a'], ['x', 'a'], { op: 'add', path: '/0', value: 'b' })).toEqual(['b', 'x', 'a']);
  });

  it('in the middle keep their neighbours, or the remaining one', () => {
    const insertion: PatchOperation = { op: 'add', path: '/2', value: 'new' };
    expect(rebase(['a', 'b', 'c', 'd'], ['x', 'a', 'b', 'c', 'd'], insertion)).toEqual([
      'x',
      'a',
      'b',
      'new',
      'c',
      'd',
    ]);
    expect(rebase(['a', 'b', 'c', 'd'], ['a', 'c', 'd'], insertion)).toEqual(['a', 'new', 'c', 'd']);
    expect(rebase(['a', 'b', 'c', 'd'], ['a', 'b', 'd'], insertion)).toEqual(['a', 'b', 'new', 'd']);
    expect(conflictOf(['a', 'b', 'c', 'd'], ['a', 'd'], insertion)).toMatchObject({ index: 0, path: '/2' });
    expect(conflictOf(['a', 'b', 'c', 'd'], ['c', 'a', 'b', 'd'], insertion)).toMatchObject({ index: 0, path: '/2' });
  });
});

describe('several operations', () => {
  it('use indices as left by the earlier operations', () => {
    const result = rebase(
      ['a', 'b', 'c'],
      ['x', 'a', 'b', 'c', 'y'],
      { op: 'remove', path: '/0' },
      { op: 'add', path: '/1', value: 'm' },
      { op: 'replace', path: '/2', value: 'C' },
      { op: 'add', path: '/-', value: 'end' },
      { op: 'replace', path: '/3', value: 'END' },
    );
    expect(result).toEqual(['x', 'b', 'm', 'C', 'y', 'END']);
  });

  it('may change the same element again', () => {
    const result = rebase(
      [{ n: 1 }, { n: 2 }],
      [{ n: 0 }, { n: 1 }, { n: 2 }],
      { op: 'replace', path: '/1/n', value: 3 },
      { op: 'add', path: '/1/m', value: 4 },
      { op: 'move', from: '/1', path: '/0' },
      { op: 'add', path: '/0/k', value: 5 },
    );
    expect(result).toEqual([{ n: 3, m: 4, k: 5 }, { n: 0 }, { n: 1 }]);
  });

  it('change a copy without its original', () => {
    const result = rebase(
      { a: { n: 1 } },
      { a: { n: 1 }, x: 1 },
      { op: 'add', path: '/a/m', value: 2 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/a/m', value: 3 },
      { op: 'replace', path: '/b/n', value: 4 },
    );
    expect(result).toEqual({ a: { n: 1, m: 3 }, b: { n: 4, m: 2 }, x: 1 });
  });

  it('move an element into the element that takes its index', () => {
    const result = rebase(['a', 'z', {}], ['a', {}], { op: 'move', from: '/0', path: '/1/x' });
    expect(result).toEqual([{ x: 'a' }]);
  });

  it('name the operation in conflict', () => {
    const conflict = conflictOf(
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { op: 'replace', path: '/a', value: 2 },
      { op: 'remove', path: '/b' },
    );
    expect(conflict).toMatchObject({ index: 1, path: '/b' });
  });

  it('that do not apply to the base are a problem, not a conflict', () => {
    const attempt = () => rebasePatch({ base: {}, latest: { a: 1 }, ops: [{ op: 'remove', path: '/a' }] });
    expect(attempt).toThrow(expect.objectContaining({ code: 'PATCH_APPLY_FAILED' }));
  });
});
