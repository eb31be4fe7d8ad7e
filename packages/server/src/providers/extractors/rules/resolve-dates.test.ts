import { describe, expect, it } from 'vitest';
import { resolveDate, toMessageDay } from './resolve-dates.js';

/** A Wednesday. */
const wednesday = toMessageDay('2025-03-12T09:00:00Z');

function daysOf(text: string, past = false): string | undefined {
  if (wednesday === undefined) throw new Error('no day');
  const found = resolveDate(text, wednesday, past);
  return found && (found.from === found.to ? found.from : `${found.from}…${found.to}`);
}

describe('resolveDate', () => {
  it.each([
    ['on 2025-04-01', '2025-04-01'],
    ['on 12 October', '2025-10-12'],
    ['on 1 February', '2026-02-01'],
    ['on March 3rd, 2027', '2027-03-03'],
    ['in May 2026', '2026-05-01…2026-05-31'],
    ['in January', '2026-01-01…2026-01-31'],
    ['next March', '2026-03-01…2026-03-31'],
    ['tomorrow', '2025-03-13'],
    ['the day after tomorrow', '2025-03-14'],
    ['in two weeks', '2025-03-26'],
    ['in 3 months', '2025-06-12'],
    ['this Friday', '2025-03-14'],
    ['on Friday', '2025-03-14'],
    ['until Sunday', '2025-03-16'],
    ['next Tuesday', '2025-03-18'],
    ['next Friday', '2025-03-21'],
    ['next week', '2025-03-17…2025-03-23'],
    ['the end of April', '2025-04-30'],
    ['the end of the month', '2025-03-31'],
    ['for the next three days', '2025-03-12…2025-03-14'],
    ['on Mondays', undefined],
    ['on 31 February', undefined],
    ['may be', undefined],
  ])('%s', (text, expected) => {
    expect(daysOf(text)).toBe(expected);
  });

  it.each([
    ['yesterday', '2025-03-11'],
    ['last Friday', '2025-03-07'],
    ['on Friday', '2025-03-07'],
    ['two weeks ago', '2025-02-26'],
    ['in January', '2025-01-01…2025-01-31'],
    ['on 12 October', '2024-10-12'],
    ['last March', '2024-03-01…2024-03-31'],
    ['last year', '2024-01-01…2024-12-31'],
    ['in 2019', '2019-01-01…2019-12-31'],
  ])('looking back: %s', (text, expected) => {
    expect(daysOf(text, true)).toBe(expected);
  });
});

describe('toMessageDay', () => {
  it('counts days in the offset of the message', () => {
    expect(toMessageDay('2025-03-12T23:30:00-05:00')?.today).toBe(Date.UTC(2025, 2, 12));
    expect(toMessageDay('2025-03-13T04:30:00Z')?.today).toBe(Date.UTC(2025, 2, 13));
  });

  it.each([undefined, '', 'yesterday', '2025-03-12', '2025-03-12T09:00:00', '2025-13-40T09:00:00Z'])(
    '%j is no time',
    (text) => {
      expect(toMessageDay(text)).toBeUndefined();
    },
  );
});
