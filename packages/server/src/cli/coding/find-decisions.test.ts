import { describe, expect, it } from 'vitest';
import { findDecisions } from './find-decisions.js';

describe('findDecisions', () => {
  it.each([
    ['We use pnpm as the package manager.', { attribute: 'package manager', value: 'pnpm', isChange: false }],
    ['Let’s use Vitest for unit tests', { attribute: 'unit tests', value: 'Vitest', isChange: false }],
    ['please use `Node 22` for CI', { attribute: 'ci', value: 'Node 22', isChange: false }],
    ['Actually, use bun instead of pnpm.', { attribute: undefined, value: 'bun', replaces: 'pnpm', isChange: true }],
    ['use bun, not pnpm', { attribute: undefined, value: 'bun', replaces: 'pnpm', isChange: true }],
    ['We switched from Jest to Vitest.', { attribute: undefined, value: 'Vitest', replaces: 'Jest', isChange: true }],
    ['Replace moment with date-fns', { attribute: undefined, value: 'date-fns', replaces: 'moment', isChange: true }],
    ['From now on use Biome for formatting.', { attribute: 'formatting', value: 'Biome', isChange: true }],
    ['The default branch is now trunk2.', { attribute: 'default branch', value: 'trunk2', isChange: true }],
    [
      'We decided to keep the old API until March.',
      { attribute: 'decision', value: 'keep the old API until March', isChange: false },
    ],
    ['Never commit generated files.', { attribute: 'rule', value: 'Never commit generated files', isChange: false }],
  ])('reads %s', (text, decision) => {
    expect(findDecisions(text)).toEqual([decision]);
  });

  it.each([
    'Should we use pnpm for this?',
    'If we use pnpm for the build, it fails.',
    'Use this for that.',
    'Use a loop for the rows.',
    'The build is broken.',
    'Fix the login page.',
    '> We use pnpm as the package manager.',
    '```\nuse pnpm for packages\n```',
    'What do we use for tests?',
    'I used pnpm yesterday and it was slow.',
  ])('reads nothing in %j', (text) => {
    expect(findDecisions(text)).toEqual([]);
  });

  it('takes time in proportion to the text, whatever it is', () => {
    const texts = [
      'use '.repeat(40_000),
      `use ${'a '.repeat(40_000)}`,
      'we use x for y. '.repeat(20_000),
      '`'.repeat(200_000),
    ];
    const startedMs = performance.now();
    for (const text of texts) findDecisions(text);
    for (let line = 0; line < 500; line++) findDecisions(`we use ${'a '.repeat(140)}`);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});
