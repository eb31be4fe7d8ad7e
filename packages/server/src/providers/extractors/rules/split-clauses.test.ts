import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestSentence, splitClauses } from './split-clauses.js';

function clausesOf(text: string): string[] {
  return splitClauses(text).map(({ text: clause, asks }) => (asks ? `${clause} (asks)` : clause));
}

describe('splitClauses', () => {
  it.each([
    ['I like tea. I hate coffee!', ['I like tea.', 'I hate coffee!']],
    ['I live in Faro and I hate heat', ['I live in Faro', 'I hate heat']],
    ['I live in Faro and work from home', ['I live in Faro and work from home']],
    ['My boss is Dr. Lang. He is kind.', ['My boss is Dr. Lang.', 'He is kind.']],
    ['It costs 3.50 euros.', ['It costs 3.50 euros.']],
    ["I'm vegan, what can I eat?", ["I'm vegan", 'what can I eat? (asks)']],
    ['I live in Rome, right?', ['I live in Rome, right? (asks)']],
    ['Do I like tea and do I hate milk?', ['Do I like tea', 'do I hate milk? (asks)']],
    ['When you write to me, use French.', ['When you write to me, use French.']],
    ['... !!! ?', []],
  ])('%s', (text, expected) => {
    expect(clausesOf(text)).toEqual(expected);
  });

  it('skips sentences that are too long', () => {
    expect(clausesOf(`${'I like tea and '.repeat(longestSentence / 10)}. I hate milk.`)).toEqual(['I hate milk.']);
  });

  it('returns parts of the text with their positions, in order', () => {
    const pieces = fc.constantFrom(
      'I ',
      'my ',
      ', ',
      ' and ',
      '. ',
      '? ',
      'what ',
      'tea',
      'Dr. ',
      '; ',
      '\n',
      '😀',
      ' - ',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (text) => {
          let end = 0;
          for (const clause of splitClauses(text)) {
            expect(text.slice(clause.start, clause.start + clause.text.length)).toBe(clause.text);
            expect(clause.start).toBeGreaterThanOrEqual(end);
            end = clause.start + clause.text.length;
          }
        },
      ),
    );
  });
});
