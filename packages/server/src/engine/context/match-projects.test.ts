import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchProjects } from './match-projects.js';

const route = (projectId: string, aliases: string[] = [], keywords: string[] = []) => ({
  projectId,
  aliases,
  keywords,
});
const idsOf = (text: string, routes: Parameters<typeof matchProjects>[1]) =>
  matchProjects(text, routes).best.map(({ projectId }) => projectId);

describe('matching projects', () => {
  it.each([
    ['the id of a project', 'How is alpha going?', ['alpha']],
    ['an alias of several words', 'The GREEN harbour plan is late.', ['beta']],
    ['the longer of two aliases', 'The green harbour plan of alpha', ['beta']],
    ['an alias that begins inside another one', 'the green green harbour plan', ['beta']],
    ['keywords if no alias occurs', 'invoices and taxes', ['gamma']],
    ['nothing for a part of a word', 'alphabet', []],
    ['nothing for a phrase that is interrupted', 'green, old harbour plan', []],
  ])('finds %s', (_, text, expected) => {
    const routes = [route('alpha'), route('beta', ['Green Harbour Plan', '!!!']), route('gamma', [], ['taxes'])];
    expect(idsOf(text, routes)).toEqual(expected);
  });

  it('finds exactly the phrases that occur as whole words', () => {
    const word = fc.constantFrom('a', 'b', 'c');
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const occurs = (text: string, words: string) => ` ${text} `.includes(` ${words} `);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(phrase, { maxLength: 6 }), (words, phrases) => {
        const text = words.join(' ');
        const occurring = phrases.filter((one) => occurs(text, one));
        const longest = Math.max(0, ...occurring.map(({ length }) => length));
        const expected = phrases.flatMap((one, index) =>
          occurring.includes(one) && one.length === longest ? [`p${index}`] : [],
        );
        expect(
          idsOf(
            text,
            phrases.map((one, index) => route(`p${index}`, [one])),
          ),
        ).toEqual(expected);
      }),
    );
  });

  it('reads a megabyte of repeated words with aliases of repeated words', () => {
    const aliases = [1000, 2000, 4000].map((count) => `${'a '.repeat(count)}b`);
    expect(idsOf('a '.repeat(500_000), [route('alpha', aliases)])).toEqual([]);
    expect(idsOf(`${'a '.repeat(500_000)} b`, [route('alpha', aliases)])).toEqual(['alpha']);
  });

  it('reads a project with very many aliases', () => {
    const aliases = Array.from({ length: 200_000 }, (_, index) => `name ${index}`);
    expect(idsOf('name 199999', [route('alpha', aliases)])).toEqual(['alpha']);
  });
});
