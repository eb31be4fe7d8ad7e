import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.js';
import { formatPointer, getAt, isPointer, parsePointer, startsWithSegments, toArrayIndex } from './json-pointer.js';
import { Problem } from './problem.js';

describe('a JSON Pointer', () => {
  const document: Json = { '': 0, list: ['x', 'y'], 'a/b': 1, 'm~n': 2, '~1': 3, 'q"': 4, ' ': 5, 'c%d': 6, é: 7 };

  it.each([
    ['', document],
    ['/', 0],
    ['/list', ['x', 'y']],
    ['/list/0', 'x'],
    ['/a~1b', 1],
    ['/m~0n', 2],
    ['/~01', 3],
    ['/q"', 4],
    ['/ ', 5],
    ['/c%d', 6],
    ['/é', 7],
  ])('%j resolves to its value', (text, value) => {
    expect(getAt(document, parsePointer(text))).toEqual(value);
  });

  it.each([
    '/nowhere',
    '/list/2',
    '/list/-',
    '/list/01',
    '/list/1e0',
    '/list/+1',
    '/list/ 1',
    '/list/length',
    '/a~1b/x',
  ])('%j does not resolve', (text) => {
    expect(getAt(document, parsePointer(text))).toBeUndefined();
  });

  it.each(['/constructor', '/__proto__', '/toString', '/list/constructor', '/list/0/length'])(
    '%j does not resolve to an inherited member',
    (text) => {
      expect(getAt(document, parsePointer(text))).toBeUndefined();
    },
  );

  it.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~', '/~a', '/~~0'])('%j is rejected', (text) => {
    expect(isPointer(text)).toBe(false);
    expect(() => parsePointer(text)).toThrow(Problem);
  });

  it('round-trips any segments', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '') })), (segments) => {
        expect(parsePointer(formatPointer(segments))).toEqual(segments);
      }),
    );
  });
});

describe('toArrayIndex', () => {
  it.each([
    ['0', 0],
    ['10', 10],
    ['00', undefined],
    ['', undefined],
    ['-1', undefined],
    ['-', undefined],
    ['1.0', undefined],
    ['0x1', undefined],
    ['1\n', undefined],
    ['٣', undefined],
  ])('parses %j as %j', (segment, index) => {
    expect(toArrayIndex(segment)).toBe(index);
  });
});

describe('startsWithSegments', () => {
  it('compares whole segments', () => {
    expect(startsWithSegments([], ['a'])).toBe(true);
    expect(startsWithSegments(['a'], ['a'])).toBe(true);
    expect(startsWithSegments(['a'], ['a', 'b'])).toBe(true);
    expect(startsWithSegments(['a'], ['ab'])).toBe(false);
    expect(startsWithSegments(['a', 'b'], ['a'])).toBe(false);
  });
});
