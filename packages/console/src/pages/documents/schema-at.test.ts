import { describe, expect, it } from 'vitest';
import { beginningOf, choicesAt, describeSchema, membersAt } from './schema-at.js';
import { contentChecker } from './schema-faults.js';

const schema = {
  type: 'object',
  properties: {
    facts: { type: 'array', items: { $ref: '#/$defs/fact' }, maxItems: 3 },
    tone: { enum: ['short', 'long'] },
    loop: { $ref: '#/properties/loop' },
  },
  additionalProperties: false,
  $defs: {
    fact: {
      type: 'object',
      properties: { text: { type: 'string', minLength: 1 }, sure: { type: 'boolean' } },
      required: ['text'],
      additionalProperties: false,
    },
  },
};

describe('the help of a schema', () => {
  it('follows references and lists, and ends where a reference goes in circles', () => {
    expect(membersAt(schema, ['facts', '0']).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['text', true],
      ['sure', false],
    ]);
    expect(membersAt(schema, ['loop', 'x'])).toEqual([]);
    expect(choicesAt(schema, ['tone'])).toEqual(['short', 'long']);
    expect(choicesAt(schema, ['facts', '2', 'sure'])).toEqual([true, false]);
  });

  it('says in words what may be there, and begins it', () => {
    expect(describeSchema(schema, schema.properties.facts)).toBe('list, at most 3 items');
    expect(describeSchema(schema, schema.$defs.fact.properties.text)).toBe('text, not empty');
    expect(beginningOf(schema, schema.properties.facts)).toEqual([]);
    expect(beginningOf(schema, schema.properties.tone)).toBe('short');
  });

  it('names the inmost place of each fault, once', () => {
    const check = contentChecker(schema);
    expect(check({ facts: [{ text: 'yes' }], tone: 'long' })).toEqual([]);
    expect(check({ facts: [{ text: '' }], 'a/b': 1 })).toEqual([
      { place: ['facts', '0', 'text'], message: 'String is too short (0 < 1).' },
      { place: ['a/b'], message: 'The schema has no such member.' },
    ]);
  });
});
