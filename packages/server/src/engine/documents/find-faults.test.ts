import { expect, it } from 'vitest';
import { compileSchema } from './compile-schema.js';
import { checkSchema, findFaults } from './find-faults.js';

it('a content that the code of the validator fails on has a fault', () => {
  const schema = {
    patternProperties: { '^x-': false },
    unevaluatedItems: {},
    anyOf: [{ unevaluatedProperties: false }, {}],
  };
  checkSchema(schema);
  expect(findFaults(compileSchema(schema), { 'x-1': [] }, 1000)).toEqual([
    { pointer: '/content', rule: 'unevaluated', message: expect.stringMatching(/^cannot be checked: /) },
  ]);
});
