import { describe, expect, it } from 'vitest';
import { pluginSuite } from '../src/plugin/plugin-suite.js';
import { providerSuite } from '../src/provider/provider-suite.js';
import { applies, groupOf, type Suite } from '../src/suite.js';

const suites: Pick<Suite<unknown, unknown>, 'name' | 'groups' | 'requirements' | 'cases'>[] = [
  pluginSuite as unknown as Suite<unknown, unknown>,
  providerSuite as unknown as Suite<unknown, unknown>,
];

/** Returns all subsets of the given items. */
function subsets(items: readonly string[]): string[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((one) => [one, [first, ...one]]);
}

describe.each(suites)('the requirements of the suite $name', ({ name, groups, requirements, cases }) => {
  it('have unique ids in groups with titles', () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
    for (const { id } of requirements) {
      expect(id).toMatch(new RegExp(`^${name.toUpperCase()}-[A-Z]+-\\d\\d$`));
      expect(Object.keys(groups)).toContain(groupOf(id));
    }
  });

  it('are sentences', () => {
    for (const { sentence } of requirements) expect(sentence).toMatch(/^\S.*\.$/);
  });

  it('are each verified by a case, and cases verify nothing else', () => {
    const cited = new Set(cases.flatMap(({ verifies }) => verifies));
    expect([...cited].sort()).toEqual(requirements.map(({ id }) => id).sort());
  });

  it('can be decided for any set of capabilities', () => {
    const capabilities = [...new Set(requirements.flatMap(({ needs = [], lacks = [] }) => [needs, lacks].flat()))];
    for (const has of subsets(capabilities)) {
      const applicable = new Set(requirements.filter((one) => applies(one, has)).map(({ id }) => id));
      const runnable = cases.filter(({ verifies }) => verifies.every((id) => applicable.has(id)));
      const decided = new Set(runnable.flatMap(({ verifies }) => verifies));
      expect([...decided].sort()).toEqual([...applicable].sort());
    }
  });

  it('have cases with unique titles', () => {
    expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
  });
});
