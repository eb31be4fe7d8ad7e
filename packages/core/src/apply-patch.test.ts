import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, freezeDeeply, memberName, patchFor } from '../test/support/arbitrary-patch.js';
import { applyPatch } from './apply-patch.js';
import { canonicalJson, type Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { formatPointer, getAt, parsePointer } from './json-pointer.js';
import { Problem } from './problem.js';
import { findTextFault, maxJsonDepth } from './text.js';

function problemOf(root: Json, operations: PatchOperation[], maxBytes?: number): Problem {
  try {
    applyPatch(root, operations, maxBytes === undefined ? {} : { maxBytes });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The patch applied.');
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe('a patch that applies', () => {
  const cases: [string, Json, PatchOperation[], Json][] = [
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['replaces a member that it adds again', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['inserts an element', ['x', 'z'], [{ op: 'add', path: '/1', value: 'y' }], ['x', 'y', 'z']],
    ['inserts at the end by number', ['x'], [{ op: 'add', path: '/1', value: 'y' }], ['x', 'y']],
    ['appends with a dash', { l: [1] }, [{ op: 'add', path: '/l/-', value: [2, 3] }], { l: [1, [2, 3]] }],
    ['adds a member called dash', {}, [{ op: 'add', path: '/-', value: 1 }], { '-': 1 }],
    ['adds a member with a name of digits', {}, [{ op: 'add', path: '/01', value: 1 }], { '01': 1 }],
    ['adds a nested object', { a: 1 }, [{ op: 'add', path: '/b', value: { c: {} } }], { a: 1, b: { c: {} } }],
    ['adds null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['removes a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/b' }], { a: 1 }],
    ['removes a member that is null', { a: null }, [{ op: 'remove', path: '/a' }], {}],
    ['removes an element', ['x', 'y', 'z'], [{ op: 'remove', path: '/1' }], ['x', 'z']],
    ['replaces a value', { a: 1, b: 2 }, [{ op: 'replace', path: '/a', value: [] }], { a: [], b: 2 }],
    ['replaces an element', [1, 2], [{ op: 'replace', path: '/0', value: 9 }], [9, 2]],
    ['replaces null', { a: null }, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['moves a member', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    [
      'moves an element to a higher index',
      ['a', 'b', 'c', 'd'],
      [{ op: 'move', from: '/1', path: '/3' }],
      ['a', 'c', 'd', 'b'],
    ],
    ['moves over a member', { a: 1, b: 2 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    ['moves to the same place', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    ['moves a part over the whole document', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '' }], { b: 1 }],
    ['moves a child over its parent', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/a' }], { a: 1 }],
    ['moves to a name with the same prefix', { a: 1 }, [{ op: 'move', from: '/a', path: '/ab' }], { ab: 1 }],
    ['copies the document into itself', { a: 1 }, [{ op: 'copy', from: '', path: '/b' }], { a: 1, b: { a: 1 } }],
    ['adds the whole document', { a: 1 }, [{ op: 'add', path: '', value: [1] }], [1]],
    ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: null }], null],
    ['tests the whole document', [1], [{ op: 'test', path: '', value: [1] }], [1]],
    ['tests a string and an element', { a: ['x'] }, [{ op: 'test', path: '/a/0', value: 'x' }], { a: ['x'] }],
    [
      'tests regardless of member order',
      { a: { b: 1, c: [] } },
      [{ op: 'test', path: '/a', value: { c: [], b: 1 } }],
      { a: { b: 1, c: [] } },
    ],
    ['tests numbers by value', { a: 10 }, [{ op: 'test', path: '/a', value: JSON.parse('1.0e1') }], { a: 10 }],
    [
      'unescapes each name once',
      { '/': 9, '~1': 10 },
      [
        { op: 'test', path: '/~01', value: 10 },
        { op: 'remove', path: '/~1' },
      ],
      { '~1': 10 },
    ],
    [
      'sees the effects of earlier operations',
      {},
      [
        { op: 'add', path: '/l', value: [] },
        { op: 'add', path: '/l/-', value: 1 },
        { op: 'add', path: '/l/0', value: 0 },
        { op: 'test', path: '/l', value: [0, 1] },
      ],
      { l: [0, 1] },
    ],
    ['does nothing when it is empty', { a: 1 }, [], { a: 1 }],
  ];

  it.each(cases)('%s', (_, root, operations, expected) => {
    expect(applyPatch(freezeDeeply(root), freezeDeeply(operations))).toEqual(expected);
  });

  it('copies by value: changing the copy leaves the original', () => {
    const operations: PatchOperation[] = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/x', value: 1 },
    ];
    expect(applyPatch({ a: {} }, operations)).toEqual({ a: {}, b: { x: 1 } });
  });

  it('shares untouched values', () => {
    const root = { kept: { deep: [1] }, list: [{ a: 1 }, { b: 2 }] };
    const result = applyPatch(root, [{ op: 'replace', path: '/list/0/a', value: 9 }]) as typeof root;
    expect(result.kept).toBe(root.kept);
    expect(result.list[1]).toBe(root.list[1]);
  });

  it('keeps the position of a replaced member', () => {
    expect(JSON.stringify(applyPatch({ a: 1, b: 2 }, [{ op: 'replace', path: '/a', value: 3 }]))).toBe('{"a":3,"b":2}');
  });
});

describe('a patch that does not apply', () => {
  const cases: [string, Json, PatchOperation][] = [
    ['adds into a missing parent', { a: 1 }, { op: 'add', path: '/b/c', value: 1 }],
    ['adds into text', { a: 'text' }, { op: 'add', path: '/a/0', value: 1 }],
    ['adds into null', { a: null }, { op: 'add', path: '/a/b', value: 1 }],
    ['adds past the end', [1], { op: 'add', path: '/2', value: 1 }],
    ['adds with a leading zero', [1, 2], { op: 'add', path: '/01', value: 1 }],
    ['adds with a sign', [1, 2], { op: 'add', path: '/+1', value: 1 }],
    ['adds at a negative index', [1, 2], { op: 'add', path: '/-1', value: 1 }],
    ['adds with an exponent', [1, 2], { op: 'add', path: '/1e0', value: 1 }],
    ['adds a named member to an array', [1], { op: 'add', path: '/length', value: 0 }],
    ['adds below the dash', [[1]], { op: 'add', path: '/-/0', value: 1 }],
    ['adds at an index that is too large for a number', [1], { op: 'add', path: `/${'9'.repeat(400)}`, value: 1 }],
    ['removes a missing member', { a: 1 }, { op: 'remove', path: '/b' }],
    ['removes past the end', [1], { op: 'remove', path: '/1' }],
    ['removes the dash', [1], { op: 'remove', path: '/-' }],
    ['removes with a leading zero', [1], { op: 'remove', path: '/00' }],
    ['removes the whole document', { a: 1 }, { op: 'remove', path: '' }],
    ['replaces a missing member', {}, { op: 'replace', path: '/a', value: 1 }],
    ['replaces past the end', [1], { op: 'replace', path: '/1', value: 1 }],
    ['replaces the dash', [1], { op: 'replace', path: '/-', value: 1 }],
    ['moves a missing member', { a: 1 }, { op: 'move', from: '/b', path: '/c' }],
    ['moves a missing member to the same place', {}, { op: 'move', from: '/a', path: '/a' }],
    ['moves into its own child', { a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b' }],
    ['moves the whole document into itself', { a: 1 }, { op: 'move', from: '', path: '/b' }],
    ['moves past the end of the array after the removal', ['a', 'b'], { op: 'move', from: '/0', path: '/2' }],
    ['copies a missing element', [], { op: 'copy', from: '/-', path: '/0' }],
    ['tests a different value', { a: 'x' }, { op: 'test', path: '/a', value: 'y' }],
    ['tests text against a number', { a: 10 }, { op: 'test', path: '/a', value: '10' }],
    ['tests a missing member against null', {}, { op: 'test', path: '/a', value: null }],
    ['tests fewer members', { a: { b: 1 } }, { op: 'test', path: '/a', value: {} }],
    ['tests other elements', [1, 2], { op: 'test', path: '', value: [2, 1] }],
    ['tests an array against an object', { a: [] }, { op: 'test', path: '/a', value: {} }],
    ['tests a name that arrays inherit', [1, 2], { op: 'test', path: '/length', value: 2 }],
    ['replaces a name that objects inherit', {}, { op: 'replace', path: '/toString', value: 1 }],
    ['copies a name that objects inherit', {}, { op: 'copy', from: '/constructor', path: '/a' }],
  ];

  it.each(cases)('fails and reports where: %s', (_, root, operation) => {
    const before = canonicalJson(root);
    const problem = problemOf(freezeDeeply(root), [{ op: 'test', path: '', value: root }, operation]);
    expect(problem).toMatchObject({ code: 'PATCH_APPLY_FAILED', status: 422 });
    expect(problem.details).toEqual({
      index: 1,
      op: operation.op,
      path: operation.path,
      reason: expect.stringMatching(/./),
    });
    expect(canonicalJson(root)).toBe(before);
  });
});

describe('names that objects inherit', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s is a plain member', (name) => {
    const added = applyPatch({}, [{ op: 'add', path: `/${name}`, value: { polluted: 1 } }]);
    expect(JSON.stringify(added)).toBe(`{"${name}":{"polluted":1}}`);
    expect(Object.getPrototypeOf(added)).toBe(Object.prototype);
    const changed = applyPatch(added, [
      { op: 'replace', path: `/${name}/polluted`, value: 2 },
      { op: 'copy', from: `/${name}`, path: '/copy' },
      { op: 'move', from: `/${name}`, path: '/moved' },
    ]);
    expect(changed).toEqual({ copy: { polluted: 2 }, moved: { polluted: 2 } });
    expect(Object.hasOwn(changed as object, name)).toBe(false);
  });

  it.each(['/__proto__/polluted', '/constructor/prototype/polluted', '/list/__proto__/polluted'])(
    '%s does not exist if it is not in the document',
    (path) => {
      expect(problemOf({ list: [] }, [{ op: 'add', path, value: 1 }]).code).toBe('PATCH_APPLY_FAILED');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

describe('limits', () => {
  const doubling: PatchOperation[] = Array.from({ length: 100 }, (_, index) => ({
    op: 'copy',
    from: '',
    path: `/${index}`,
  }));

  it('stop copies of copies by size', () => {
    expect(problemOf({ text: 'x'.repeat(1000) }, doubling.slice(0, 40), 1_000_000)).toMatchObject({
      code: 'DOCUMENT_SIZE_EXCEEDED',
      status: 422,
      details: { max_bytes: 1_000_000 },
    });
  });

  it('stop copies of copies by depth, even without a size limit', () => {
    expect(problemOf({}, doubling)).toMatchObject({ code: 'PATCH_APPLY_FAILED' });
  });

  it('allow a document to exceed its size between operations', () => {
    const root = { old: 'x'.repeat(80) };
    const operations: PatchOperation[] = [
      { op: 'add', path: '/new', value: 'y'.repeat(80) },
      { op: 'remove', path: '/old' },
    ];
    expect(applyPatch(root, operations, { maxBytes: 100 })).toEqual({ new: 'y'.repeat(80) });
    expect(problemOf(root, operations.slice(0, 1), 100).code).toBe('DOCUMENT_SIZE_EXCEEDED');
  });

  it('let an oversized document shrink', () => {
    const root = { a: 'x'.repeat(80), b: 'x'.repeat(80), c: 1 };
    const operations: PatchOperation[] = [
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/b' },
    ];
    expect(applyPatch(root, operations, { maxBytes: 50 })).toEqual({ c: 1 });
  });

  it('count additions to a value that was moved', () => {
    const operations: PatchOperation[] = [
      { op: 'add', path: '/a/-', value: 'x' },
      { op: 'move', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 'x'.repeat(500) },
    ];
    expect(problemOf({ a: ['x'.repeat(300)] }, operations, 600).code).toBe('DOCUMENT_SIZE_EXCEEDED');
    expect(applyPatch({ a: ['x'.repeat(300)] }, operations, { maxBytes: 900 })).toHaveProperty('b.length', 3);
  });

  it('are exact in characters if nothing needs an escape', () => {
    fc.assert(
      fc.property(document, fc.gen(), (root, random) => {
        const operations = patchFor(root, random);
        const result = applyPatch(root, operations);
        const size = JSON.stringify(result).length;
        expect(applyPatch(root, operations, { maxBytes: 1_000_000 })).toEqual(result);
        const empty = JSON.stringify(result).match(/\[\]|\{\}/g)?.length ?? 0;
        expect(problemOf(root, operations, size - empty - 1).code).toBe('DOCUMENT_SIZE_EXCEEDED');
      }),
    );
  });

  it('allow the same nesting depth as a request, and no more', () => {
    const inside = nested(maxJsonDepth - 1);
    const fits = applyPatch({}, [{ op: 'add', path: '/a', value: inside }]);
    expect(findTextFault(fits)).toBeUndefined();
    expect(problemOf({ a: {} }, [{ op: 'add', path: '/a/b', value: inside }]).code).toBe('PATCH_APPLY_FAILED');
    expect(
      problemOf(fits, [
        { op: 'move', from: '/a', path: '/b' },
        { op: 'copy', from: '', path: '/c' },
      ]).code,
    ).toBe('PATCH_APPLY_FAILED');
    expect(problemOf({}, [{ op: 'add', path: '/a', value: nested(200_000) }]).code).toBe('PATCH_APPLY_FAILED');
  });
});

describe('arbitrary patches', () => {
  it('do not change the document or the operations, and are undone by their inverse', () => {
    fc.assert(
      fc.property(document, fc.gen(), (root, random) => {
        const operations = freezeDeeply(patchFor(freezeDeeply(root), random));
        const before = canonicalJson(root);
        const result = applyPatch(root, operations);
        expect(canonicalJson(applyPatch(result, invert(root, operations)))).toBe(before);
        expect(canonicalJson(root)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it('give the same result as applying the operations one by one', () => {
    fc.assert(
      fc.property(document, fc.gen(), (root, random) => {
        const operations = patchFor(root, random);
        const stepwise = operations.reduce<Json>((current, operation) => applyPatch(current, [operation]), root);
        expect(canonicalJson(applyPatch(root, operations))).toBe(canonicalJson(stepwise));
      }),
    );
  });

  it('throw only problems, change nothing when they do, and never reach Object.prototype', () => {
    const path = fc.array(fc.oneof(memberName, fc.constantFrom('1', '01', '+1', 'length'))).map(formatPointer);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: document }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
    ) as fc.Arbitrary<PatchOperation>;
    const inherited = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (root, operations) => {
        const before = canonicalJson(root);
        try {
          applyPatch(freezeDeeply(root), operations, { maxBytes: 10_000 });
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
        expect(canonicalJson(root)).toBe(before);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Returns operations that undo the given ones, the last one first. */
function invert(root: Json, operations: readonly PatchOperation[]): PatchOperation[] {
  const undoing: PatchOperation[] = [];
  let current = root;
  for (const operation of operations) {
    undoing.unshift(...undo(current, operation));
    current = applyPatch(current, [operation]);
  }
  return undoing;
}

function undo(root: Json, operation: PatchOperation): PatchOperation[] {
  const { op, path } = operation;
  if (op === 'test') return [];
  if (op === 'remove' || op === 'replace') {
    return [{ op: op === 'remove' ? 'add' : 'replace', path, value: valueAt(root, path) }];
  }
  if (op !== 'move') return undoAdd(root, path);
  if (operation.from === path) return [];
  const without = applyPatch(root, [{ op: 'remove', path: operation.from }]);
  return [...undoAdd(without, path), { op: 'add', path: operation.from, value: valueAt(root, operation.from) }];
}

function undoAdd(root: Json, path: string): PatchOperation[] {
  const segments = parsePointer(path);
  const parent = getAt(root, segments.slice(0, -1));
  if (segments.length > 0 && Array.isArray(parent)) {
    const index = segments.at(-1) === '-' ? String(parent.length) : (segments.at(-1) ?? '');
    return [{ op: 'remove', path: formatPointer([...segments.slice(0, -1), index]) }];
  }
  const old = getAt(root, segments);
  return [old === undefined ? { op: 'remove', path } : { op: 'replace', path, value: old }];
}

function valueAt(root: Json, path: string): Json {
  return getAt(root, parsePointer(path)) as Json;
}
