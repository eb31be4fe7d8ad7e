import { describe, expect, it } from 'vitest';
import { prepareText } from './prepare-text.js';

describe('preparing a text', () => {
  it('leaves ordinary text unchanged', () => {
    expect(prepareText('  two  words\n')).toBe('  two  words\n');
  });

  it('replaces lone surrogates, including one caused by the cut', () => {
    expect(prepareText('a\ud800b')).toBe('a\ufffdb');
    expect(prepareText(`a${'😀'.repeat(5000)}`)).toMatch(/\ufffd$/);
  });

  it('skips white space to find words', () => {
    expect(prepareText(`${' '.repeat(20_000)}word`)).toBe(' word');
  });

  it('takes the same time for 10 MB as for 100 kB', () => {
    const elapsed = (text: string) => {
      const start = performance.now();
      for (let i = 0; i < 20; i++) prepareText(text);
      return performance.now() - start;
    };
    elapsed('x '.repeat(50_000));
    expect(elapsed('x '.repeat(5_000_000))).toBeLessThan(10 * elapsed('x '.repeat(50_000)) + 50);
  });
});
