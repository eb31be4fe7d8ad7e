import { describe, expect, it } from 'vitest';
import { findTextFault, maxJsonDepth } from './text.js';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe('findTextFault', () => {
  it('accepts ordinary text, emoji and right-to-left text', () => {
    expect(
      findTextFault({ a: ['plain', '👩‍👩‍👧', 'مرحبا', 'e\u0301'], b: { c: null, d: 1.5, e: true } }),
    ).toBeUndefined();
  });

  it('points at a NUL, in a value or in a name', () => {
    expect(findTextFault({ a: { 'b/c': ['x', 'y\u0000'] } })).toEqual({
      pointer: '/a/b~1c/1',
      message: 'contains a NUL character',
    });
    expect(findTextFault({ a: { 'b\u0000': 1 } })?.pointer).toBe('/a');
  });

  it('rejects a lone surrogate', () => {
    expect(findTextFault('\ud83d')?.message).toMatch(/surrogate/);
  });

  it('rejects marks that would take long to normalize', () => {
    const marks = '\u0301\u0316'.repeat(50);
    expect(findTextFault(`a${marks} a${marks}`)).toBeUndefined();
    expect(findTextFault({ a: `x a${marks}\u0301` })).toEqual({
      pointer: '/a',
      message: 'contains more than 100 combining marks in a row',
    });
    expect(findTextFault({ [`${marks}\u0301`]: 1 })?.message).toMatch(/member name that contains more than 100/);
  });

  it('rejects numbers that would be written as null', () => {
    expect(findTextFault(JSON.parse('{"a":[1e308,-1e999]}'))).toEqual({
      pointer: '/a/1',
      message: 'is a number that is too large to store',
    });
    expect(findTextFault(JSON.parse('1e999'))?.pointer).toBe('');
  });

  it('rejects nesting past the limit and survives absurd nesting', () => {
    expect(findTextFault(nested(maxJsonDepth))).toBeUndefined();
    expect(findTextFault(nested(maxJsonDepth + 1))?.message).toMatch(/deeper than 64/);
    expect(findTextFault(nested(500_000))?.message).toMatch(/deeper than 64/);
  });
});
