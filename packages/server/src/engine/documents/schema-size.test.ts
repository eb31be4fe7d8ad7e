import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { estimateInstructions, measureSchema } from './schema-size.js';

describe('the size of a schema', () => {
  it('counts members and elements at any depth', () => {
    expect(measureSchema({ type: 'object', required: ['a', 'b'], properties: { a: {} } })).toEqual({
      characters: 60,
      parts: 6,
      patterns: 0,
      tracksEvaluated: false,
    });
    expect(measureSchema({ items: { unevaluatedItems: false } }).tracksEvaluated).toBe(true);
    expect(measureSchema({ pattern: 'a{20}', patternProperties: { 'b{30}': {} } }).patterns).toBe(50);
  });

  it('measures what is nested too deeply for recursion', () => {
    let deep = {};
    for (let level = 0; level < 3000; level++) deep = { not: deep };
    expect(measureSchema(deep).parts).toBe(3000);
  });

  it.each([
    '^a',
    'a{100}',
    '(?:ab){50}',
    '((a{10}){10}){10}',
    'a{0,1000}',
    '[a-z]{20}\\d{4}',
    '\\p{L}{300}',
    '[{}]{3,}',
    '(?:[^\\]()]{30}\\(){9}',
    '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
  ])('estimates the instructions of %s', (pattern) => {
    const size = RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize();
    const estimate = estimateInstructions(pattern);
    expect(estimate).toBeGreaterThanOrEqual(size / 3);
    expect(estimate).toBeLessThanOrEqual(size * 3);
  });

  it.each(['[', '(', '{1', '\\p{', '\\'])('reads many of %s in linear time', (piece) => {
    expect(estimateInstructions(piece.repeat(200_000))).toBeLessThanOrEqual(400_000);
  });
});
