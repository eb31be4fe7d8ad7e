import type { Json } from '@memhall/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile-schema.js';
import { maxFaults, TooManySteps } from './validation-steps.js';

const name = fc.constantFrom('a', 'b', 'c', 'x-1');
const content: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 2.5, '', 'a', 'abc', '2026-01-31', 'http://a.b/c'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const count = fc.integer({ min: 0, max: 3 });
const keywordsWithoutParts = {
  type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', ['null', 'boolean']),
  enum: fc.oneof(
    fc.array(content, { minLength: 1, maxLength: 4 }),
    fc.constant(Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? index : { a: index }))),
  ),
  const: content,
  minimum: count,
  multipleOf: fc.constantFrom(1, 2),
  maxLength: count,
  minLength: count,
  pattern: fc.constantFrom('^a', '\\d{4}', 'b+$'),
  format: fc.constantFrom('date', 'url', 'email', 'unknown'),
  required: fc.uniqueArray(name, { maxLength: 3 }),
  maxProperties: count,
  minProperties: count,
  maxItems: count,
  minItems: count,
  dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
};

/** Schemas that refer only to the given parts. */
function schemas(references: readonly string[]): fc.Arbitrary<Json> {
  return fc.letrec<{ schema: Json; object: Json }>((tie) => {
    const part = tie('schema');
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    const byName = fc.dictionary(name, part, { maxKeys: 3 });
    const keywords = {
      ...keywordsWithoutParts,
      properties: byName,
      patternProperties: fc.dictionary(fc.constantFrom('^x-', 'a|b'), part, { maxKeys: 2 }),
      additionalProperties: part,
      propertyNames: part,
      unevaluatedProperties: part,
      dependentSchemas: byName,
      items: part,
      prefixItems: parts,
      contains: part,
      minContains: count,
      maxContains: count,
      unevaluatedItems: part,
      allOf: parts,
      anyOf: parts,
      oneOf: parts,
      not: part,
      if: part,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: part,
      else: part,
      ...(references.length === 0 ? {} : { $ref: fc.constantFrom(...references) }),
    };
    return {
      schema: fc.oneof(
        { maxDepth: 2 },
        fc.boolean(),
        fc.record(keywordsWithoutParts, { requiredKeys: [] }),
        tie('object'),
      ),
      object: fc
        .subarray(Object.keys(keywords), { maxLength: 4 })
        .chain((names) => fc.record(Object.fromEntries(names.map((key) => [key, keywords[key as 'items']])))),
    } as { schema: fc.Arbitrary<Json>; object: fc.Arbitrary<Json> };
  }).object;
}

const wholeSchema = fc
  .record({ root: schemas(['#/$defs/a', '#/$defs/b']), a: schemas([]), b: schemas(['#/$defs/a']) })
  .map(({ root, a, b }) => ({ ...(root as object), $defs: { a, b } }));

/** Returns all errors that Ajv finds when nothing is counted, limited or replaced, or `broken` if the code it makes fails. */
function plainErrors(schema: Json, value: Json) {
  const plain = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    logger: false,
    validateSchema: false,
  });
  addFormats.default(plain);
  const validate = plain.compile(schema as object);
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof TypeError) return 'broken';
    throw error;
  }
}

const shown = ({ instancePath, keyword }: { instancePath: string; keyword: string }) => `${instancePath} ${keyword}`;

describe('a compiled schema', () => {
  it('finds the first of the errors that plain Ajv finds', () => {
    fc.assert(
      fc.property(wholeSchema, content, (schema, value) => {
        const wanted = plainErrors(schema, value);
        fc.pre(wanted !== 'broken');
        const found = compileSchema(schema)(value, 1_000_000);
        expect(found.map(shown)).toEqual(wanted.slice(0, maxFaults).map(shown));
      }),
      { numRuns: 200 },
    );
  });

  const many = Array.from({ length: 50 }, () => ({}));
  const wants = { required: ['a', 'b'] };
  it.each([
    ['in a list', { items: wants }],
    ['behind references', { items: { $ref: '#/$defs/x' }, $defs: { x: wants } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['after a condition', { if: true, then: { items: wants } }],
    ['in the last alternative', { anyOf: [{ items: { $ref: '#/$defs/x' } }, { items: wants }], $defs: { x: wants } }],
    ['of types', { items: { type: 'string' } }],
    ['of parts that never match', { items: false, contains: false, allOf: [{ items: { type: 'null' } }] }],
  ])('stops at the first errors %s', (_name, schema) => {
    const errors = plainErrors(schema, many);
    const all = errors === 'broken' ? [] : errors.map(shown);
    expect(all.length).toBeGreaterThan(maxFaults);
    expect(compileSchema(schema)(many, 1_000_000).map(shown)).toEqual(all.slice(0, maxFaults));
  });

  it('finds all errors after a part that was only tried', () => {
    const schema = { anyOf: [{ items: wants }, { minItems: 50 }], maxItems: 49 };
    expect(compileSchema(schema)(many, 1_000_000).map(shown)).toEqual([' maxItems']);
  });

  const names = Array.from({ length: 1000 }, (_, index) => `f${index}`);
  const members = (value: Json) => Object.fromEntries(names.map((each) => [each, value]));
  const text = 'a'.repeat(10_000);
  it.each<[string, Json, Json]>([
    ['required', { items: { required: names } }, [members(1), members(1)]],
    ['properties', { items: { properties: members(true) } }, [{}, {}]],
    ['dependentRequired', { items: { dependentRequired: { a: names } } }, [{}, {}]],
    ['dependentSchemas', { items: { dependentSchemas: members(true) } }, [{}, {}]],
    ['patternProperties', { patternProperties: { '^f': true, '^g': true } }, members(1)],
    ['additionalProperties', { additionalProperties: { type: 'number' } }, members(1)],
    ['unevaluatedProperties', { unevaluatedProperties: { type: 'number' } }, members(1)],
    ['propertyNames', { propertyNames: { type: 'string' } }, members(1)],
    ['minProperties', { minProperties: 1 }, members(1)],
    ['maxProperties', { maxProperties: 1000 }, members(1)],
    ['items', { items: { type: 'string' } }, names],
    ['unevaluatedItems', { unevaluatedItems: { type: 'string' } }, names],
    ['prefixItems', { items: { prefixItems: names.map(() => true) } }, [[], []]],
    ['contains', { contains: { type: 'string' } }, names],
    ['uniqueItems', { uniqueItems: true }, [text, `${text}b`]],
    ['enum', { enum: [[1], 2] }, [text, text]],
    ['const', { const: [1] }, [text, text]],
    ['minLength', { minLength: 1 }, text],
    ['maxLength', { maxLength: 10_000 }, text],
    ['pattern', { pattern: '^a' }, text],
    ['format', { format: 'email' }, text],
    ['format of URLs', { format: 'url' }, `http://${':'.repeat(1000)}`],
    ['allOf', { items: { allOf: names.map(() => true) } }, [1, 2]],
    ['anyOf', { items: { anyOf: names.map(() => true) } }, [1, 2]],
    ['oneOf', { items: { oneOf: names.map(() => true) } }, [1, 2]],
    ['$ref', { items: { $ref: '#/$defs/x' }, $defs: { x: { minimum: 0 } } }, names.map(() => 1)],
    ['$dynamicRef', { items: { $dynamicRef: '#x' }, $defs: { x: { $dynamicAnchor: 'x' } } }, names],
    ['errors of alternatives', { anyOf: [{ allOf: names.map(() => ({ type: 'null' })) }, true] }, 1],
  ])('counts the steps of %s', (_name, schema, value) => {
    const check = compileSchema(schema);
    expect(() => check(value, 300)).toThrow(TooManySteps);
    expect(() => check(value, 300_000)).not.toThrow();
  });

  it('looks up values of a long list instead of comparing each', () => {
    const check = compileSchema({ items: { enum: [...names, ...names.map((each) => ({ each }))] } });
    const value = names.flatMap((each) => [each, { each }]);
    expect(check(value, 20_000)).toEqual([]);
    expect(check([...value, { each: 'f' }, 'f'], 20_000).map(shown)).toEqual(['/2000 enum', '/2001 enum']);
  });

  it('compares objects with members that are called like methods', () => {
    const check = compileSchema({ items: { anyOf: [{ const: { toString: 1 } }, { enum: [{ valueOf: [] }, 1] }] } });
    expect(check([{ toString: 1 }, { valueOf: [] }], 1000)).toEqual([]);
    expect(check([{ toString: 2 }, { valueOf: 1 }], 1000).map(shown)).toContain('/1 enum');
  });

  it('is not confused by names that look like generated code', () => {
    const odd = '";errors++;self.steps.take(1e9);//';
    const check = compileSchema({ required: [odd, 'errors++;'], properties: { [odd]: { const: 'errors++;' } } });
    expect(check({ [odd]: 'errors++;', 'errors++;': 1 }, 1000)).toEqual([]);
    expect(check({}, 1000)).toHaveLength(2);
  });
});
