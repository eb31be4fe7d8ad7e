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

  it('examines only the start of a text, whatever its length', () => {
    expect(prepareText(`${' '.repeat(32_768)}word`)).toBe(' ');
    expect(prepareText(`${' '.repeat(10_000_000)}word`)).toBe(' ');
  });
});
