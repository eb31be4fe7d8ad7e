import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenText } from './shorten-text.js';

describe('shortenText', () => {
  it('keeps the beginning and the end, and says how much is missing', () => {
    const text = `${'a'.repeat(500)}${'b'.repeat(500)}`;
    const shortened = shortenText(text, 200);
    expect(shortened).toMatch(/^a{100,}\n\[… \d+ characters left out …\]\nb{50,}$/);
    const leftOut = Number(/… (\d+)/.exec(shortened)?.[1]);
    expect(leftOut + shortened.replace(/\n.*\n/, '').length).toBe(text.length);
  });

  it('keeps a text that fits, never exceeds the limit and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(300), (text, maxLength) => {
        const shortened = shortenText(text, maxLength);
        expect(shortened.length).toBeLessThanOrEqual(Math.max(maxLength, 0));
        expect(shortened.isWellFormed()).toBe(true);
        if (text.length <= maxLength) expect(shortened).toBe(text);
      }),
    );
  });
});
