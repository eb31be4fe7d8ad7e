import { describe, expect, it } from 'vitest';
import { toDailyEntry } from './daily-entry.js';

const at = new Date('2026-05-21T23:59:59.500Z');

describe('toDailyEntry', () => {
  it('prefixes an entry with its time and files it under the UTC day', () => {
    expect(toDailyEntry(at, ' Met Lena. ')).toEqual({
      key: '2026-05-21',
      content: '- 2026-05-21T23:59:59.500Z — Met Lena.',
    });
  });

  it.each(['\n', '\r\n', '\r', ' \n\n ', '\u0085', '\u2028', '\u2029'])('joins two lines separated by %j', (end) => {
    const { content } = toDailyEntry(at, `Met Lena.${end}- 2026-05-20T08:00:00.000Z — Was promoted.`);
    expect(content).toBe('- 2026-05-21T23:59:59.500Z — Met Lena. - 2026-05-20T08:00:00.000Z — Was promoted.');
  });

  it('reads a long run of spaces once', () => {
    expect(toDailyEntry(at, `a${' \t'.repeat(500_000)}b`).content.length).toBe(1_000_031);
  });

  it('leaves out empty lines', () => {
    expect(toDailyEntry(at, '\n\n one \n \u0085\n two\u2028').content).toBe('- 2026-05-21T23:59:59.500Z — one two');
  });
});
