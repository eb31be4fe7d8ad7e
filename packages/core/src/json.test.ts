import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json, jsonEqual } from './json.js';

describe('canonicalJson', () => {
  it('orders keys at every depth and keeps array order', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 3], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},3]}');
  });

  it('keeps a member named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });

  it('parses back to the same value, regardless of key order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

describe('jsonEqual', () => {
  it.each<[string, string]>([
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
    ['[1,10,0]', '[1.0,1e1,-0]'],
    ['{"__proto__":null}', '{"__proto__":null}'],
  ])('treats %s and %s as equal', (a, b) => {
    expect(jsonEqual(JSON.parse(a), JSON.parse(b))).toBe(true);
  });

  it.each<[string, string]>([
    ['1', '"1"'],
    ['null', '{}'],
    ['[]', '{}'],
    ['{}', '[]'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,null]'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":null}', '{"b":null}'],
    ['{"__proto__":{}}', '{"a":{}}'],
    ['{"toString":1}', '{"a":1}'],
  ])('distinguishes %s from %s', (a, b) => {
    expect(jsonEqual(JSON.parse(a), JSON.parse(b))).toBe(false);
    expect(jsonEqual(JSON.parse(b), JSON.parse(a))).toBe(false);
  });

  it('agrees with the canonical text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(jsonEqual(a as Json, JSON.parse(JSON.stringify(a)))).toBe(true);
        expect(jsonEqual(a as Json, b as Json)).toBe(canonicalJson(a as Json) === canonicalJson(b as Json));
      }),
    );
  });
});
