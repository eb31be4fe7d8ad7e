import { describe, expect, it } from 'vitest';
import { toProfile } from './profile.js';
import type { ProfileSource } from './profile-shape.js';

describe('fact rules of a profile', () => {
  const parse = (fact_rules: ProfileSource['fact_rules'], more: object = {}) =>
    toProfile('p', {
      document_bindings: [
        { binding_id: 'b', namespace: 'n', path_template: '{name}.json', schema_id: 's', schema_version: '1', ...more },
      ],
      ...(fact_rules && { fact_rules }),
    });

  it('belong to a binding, with whom they are about', () => {
    const { bindings } = parse({
      b: [{ path: '/city', attribute: 'lives in', subject: '{name}' }, { path: '/facts' }],
    });
    expect(
      bindings[0]?.factRules.map(({ segments, attribute, subject }) => [segments, attribute, subject.text]),
    ).toEqual([
      [['content', 'city'], 'lives in', '{name}'],
      [['content', 'facts'], undefined, 'me'],
    ]);
    expect(parse(undefined).bindings[0]?.factRules).toEqual([]);
  });

  it.each([
    ['a binding that does not exist', { x: [{ path: '/city' }] }, {}],
    ['a place that is denied', { b: [{ path: '/city' }] }, { deny_paths: ['/city'] }],
    ['a place inside one that is denied', { b: [{ path: '/home/city' }] }, { deny_paths: ['/home'] }],
    ['a variable that the path lacks', { b: [{ path: '/city', subject: '{team}' }] }, {}],
    ['a subject with an unmatched brace', { b: [{ path: '/city', subject: '{name' }] }, {}],
  ])('are refused for %s', (_, rules, more) => {
    expect(() => parse(rules, more)).toThrow(/The profile cannot be used: fact_rules/);
  });
});
