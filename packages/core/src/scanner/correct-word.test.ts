import { describe, expect, it } from 'vitest';
import { WordCorrector } from './correct-word.js';

const corrector = new WordCorrector(new Set(['ignore', 'all', 'previous', 'instructions', 'rules']));

describe('WordCorrector', () => {
  it.each([
    ['ign0re', 'ignore'],
    ['1nstruct10ns', 'instructions'],
    ['ingore', 'ignore'],
    ['insturctoins', 'instructions'],
    ['iiignore', 'ignore'],
    ['alll', 'all'],
    ['previouss', 'previous'],
  ])('reads %s as %s', (word, expected) => {
    expect(corrector.correct(word)).toBe(expected);
  });

  it('leaves other words as they are', () => {
    for (const word of ['ignored', 'ruler', 'region', 'al', 'instruction', 'übung', 'a'.repeat(100)])
      expect(corrector.correct(word)).toBe(word);
  });
});
