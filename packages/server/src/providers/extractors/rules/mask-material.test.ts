import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskMaterial } from './mask-material.js';

function own(text: string): string {
  return maskMaterial(text).replace(/\n+/g, '\n').trim();
}

describe('maskMaterial', () => {
  it.each([
    ['code', 'before\n```js\nI am code\n```\nafter', 'before\nafter'],
    ['an unclosed fence', 'before\n```\nI am code', 'before'],
    ['quoted lines', 'He wrote:\n> I hate it\nWhy?', 'He wrote:'],
    ['long quotations', 'The sign said “I bite and I bark”. True!', 'The sign said \n. True!'],
    ['a text to work on', 'Summarise: I live in Rome. I like it.', 'Summarise:'],
    ['a letter', 'See here\nDear Ann,\nI live in Rome', 'See here'],
    ['transcripts', 'Ann: I like it\nBen: I do not', ''],
    ['tags', 'hello <b>I live in Rome</b>', 'hello'],
  ])('hides %s', (_, text, expected) => {
    expect(own(text)).toBe(expected);
  });

  it.each([
    ['short quotations', 'Call me "Bo".'],
    ['single terms of code', 'Use `pnpm`, not `npm`.'],
    ['apostrophes', "I don't like my neighbours' cats' noise."],
    ["the user's own labels", 'Remember: I park in Rome.\nDecision: we sell the van.'],
    ['lists', 'About me:\n- I live in Rome\n- I like tea'],
  ])('leaves %s', (_, text) => {
    expect(maskMaterial(text)).toBe(text);
  });

  it('keeps all positions', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', ' ', '\n', '"', "'", '`', '```', '“', '”', '<', '>', ':', 'said', '😀'),
        }),
        (text) => {
          const masked = maskMaterial(text);
          expect(masked).toHaveLength(text.length);
          for (let at = 0; at < text.length; at++) expect([text[at], '\n']).toContain(masked[at]);
        },
      ),
    );
  });
});
