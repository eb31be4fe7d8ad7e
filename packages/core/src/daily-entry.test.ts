import { describe, expect, it } from 'vitest';
import { toDailyEntry } from './daily-entry.js';

const at = new Date('2026-05-21T23:59:59.500Z');

describe('toDailyEntry', () => {
  it('puts the moment before an entry, under the day it has in UTC', () => {
    expect(toDailyEntry(at, ' Met Lena. ')).toEqual({
      key: '2026-05-21',
      content: '- 2026-05-21T23:59:59.500Z — Met Lena.',
    });
  });

  it.each(['\n', '\r\n', '\r', ' \n\n ', '\u0085', '\u2028', '\u2029'])(
    'makes one line of two with %j between',
    (end) => {
      const { content } = toDailyEntry(at, `Met Lena.${end}- 2026-05-20T08:00:00.000Z — Was promoted.`);
      expect(content).toBe('- 2026-05-21T23:59:59.500Z — Met Lena. - 2026-05-20T08:00:00.000Z — Was promoted.');
    },
  );
});
