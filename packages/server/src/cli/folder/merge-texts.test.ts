import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMarks, mergeTexts } from './merge-texts.js';

describe('texts that both sides changed', () => {
  it('are merged if they changed in different places', () => {
    const before = 'one\ntwo\nthree\nfour\nfive';
    expect(mergeTexts('1\ntwo\nthree\nfour\nfive', before, 'one\ntwo\nthree\nfour\n5')).toEqual({
      text: '1\ntwo\nthree\nfour\n5',
      hasConflicts: false,
    });
  });

  it('are shown in three ways if they changed in the same place', () => {
    const { text, hasConflicts } = mergeTexts('a\nhere\nz', 'a\nbefore\nz', 'a\nthere\nz');
    expect(hasConflicts).toBe(true);
    expect(text).toBe('a\n<<<<<<< here\nhere\n||||||| before\nbefore\n=======\nthere\n>>>>>>> in Memhall\nz');
    expect([hasMarks(text), hasMarks('<<<<<<< only one'), hasMarks('# Title\n=======\n')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('keep every line that one side added, whatever the other did elsewhere', () => {
    const words = fc.array(fc.integer({ min: 0, max: 5 }).map(String), { maxLength: 8 });
    fc.assert(
      fc.property(words, words, words, (before, ours, theirs) => {
        const here = ours.map((line) => `here ${line}`).join('\n');
        const { text } = mergeTexts(`${before.join('\n')}\n${here}`, before.join('\n'), theirs.join('\n'));
        for (const line of [...here.split('\n'), ...theirs.filter((one) => !before.includes(one))]) {
          expect(text.split('\n')).toContain(line);
        }
      }),
    );
  });

  it('are the text of the one side if the other did not change, or changed the same', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(texts, texts, (before, changed) => {
        const merged = { text: changed, hasConflicts: false };
        expect(mergeTexts(changed, before, before)).toEqual(merged);
        expect(mergeTexts(before, before, changed)).toEqual(merged);
        expect(mergeTexts(changed, before, changed)).toEqual(merged);
      }),
    );
  });
});
