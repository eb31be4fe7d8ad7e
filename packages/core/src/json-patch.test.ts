import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPatch } from './json-patch.js';
import { Problem } from './problem.js';

function faultOf(value: unknown): Problem {
  try {
    checkPatch(value);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The patch was accepted.');
}

describe('checkPatch', () => {
  it('accepts every kind of operation and drops members that the RFC does not define', () => {
    const operations = [
      { op: 'add', path: '/a', value: null },
      { op: 'replace', path: '', value: false },
      { op: 'test', path: '/a~1b', value: { deep: [] } },
      { op: 'remove', path: '/a' },
      { op: 'move', from: '/a', path: '/b' },
      { op: 'copy', from: '', path: '/b' },
    ];
    expect(checkPatch(operations.map((operation) => ({ ...operation, note: 'why' })))).toEqual(operations);
    expect(checkPatch([])).toEqual([]);
  });

  it.each([null, {}, 'add', 7, undefined])('requires an array, not %j', (value) => {
    expect(faultOf(value)).toMatchObject({ code: 'INVALID_PATCH', status: 400 });
  });

  it.each([null, [], 'remove', 1])('requires objects in the array, not %j', (operation) => {
    expect(faultOf([operation]).details).toMatchObject({ index: 0 });
  });

  it.each([
    ['op', { path: '/a' }],
    ['op', { op: 'Add', path: '/a', value: 1 }],
    ['op', { op: 'toString', path: '/a', value: 1 }],
    ['op', { op: ['add'], path: '/a', value: 1 }],
    ['path', { op: 'remove' }],
    ['path', { op: 'remove', path: 1 }],
    ['path', { op: 'remove', path: 'a' }],
    ['path', { op: 'remove', path: '/~2' }],
    ['value', { op: 'add', path: '/a' }],
    ['value', { op: 'replace', path: '/a', value: undefined }],
    ['value', { op: 'test', path: '/a' }],
    ['from', { op: 'move', path: '/a' }],
    ['from', { op: 'copy', path: '/a', from: null }],
    ['from', { op: 'copy', path: '/a', from: 'b' }],
  ])('names the operation and its member %s when %j', (member, operation) => {
    const problem = faultOf([{ op: 'remove', path: '/fine' }, operation]);
    expect(problem.code).toBe('INVALID_PATCH');
    expect(problem.details).toMatchObject({ index: 1, member, reason: expect.any(String) });
  });

  it('ignores inherited members', () => {
    expect(faultOf([Object.create({ op: 'remove', path: '/a' })]).details).toMatchObject({ member: 'op' });
    expect(faultOf([JSON.parse('{"op":"add","path":"/a","__proto__":{"value":1}}')]).details).toMatchObject({
      member: 'value',
    });
  });

  it('throws only problems', () => {
    const operation = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'remove', 'move', 'test'), fc.anything()),
        path: fc.oneof(fc.string(), fc.anything()),
        from: fc.oneof(fc.string(), fc.anything()),
        value: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.oneof(operation, fc.anything())), fc.anything()), (value) => {
        try {
          checkPatch(value);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});
