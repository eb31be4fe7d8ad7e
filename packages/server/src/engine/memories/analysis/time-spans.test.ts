import { describe, expect, it } from 'vitest';
import { timeFit, timeSpans } from './time-spans.js';

/** A Wednesday. */
const now = Date.UTC(2024, 4, 15, 12);

function spans(text: string, at = now): string[] {
  return timeSpans(text, at).map(
    ({ from, to }) => `${new Date(from).toISOString().slice(0, 10)}…${new Date(to).toISOString().slice(0, 10)}`,
  );
}

describe('timeSpans', () => {
  it.each([
    ['on 2024-03-05', ['2024-03-05…2024-03-06']],
    ['on 8 May, 2023', ['2023-05-08…2023-05-09']],
    ['on May 8th 2023', ['2023-05-08…2023-05-09']],
    ['in May 2023', ['2023-05-01…2023-06-01']],
    ['in 2023', ['2023-01-01…2024-01-01']],
    ['last March', ['2024-03-01…2024-04-01']],
    ['last July', ['2023-07-01…2023-08-01']],
    ['last summer', ['2023-06-01…2023-09-01']],
    ['summer of 2022', ['2022-06-01…2022-09-01']],
    ['yesterday', ['2024-05-14…2024-05-15']],
    ['two days ago', ['2024-05-13…2024-05-14']],
    ['two weeks ago', ['2024-04-28…2024-05-05']],
    ['a year ago', ['2023-01-01…2024-01-01']],
    ['the last 3 months', ['2024-02-13…2024-05-16']],
    ['last week', ['2024-05-06…2024-05-13']],
    ['last Friday', ['2024-05-10…2024-05-11']],
    ['the week before 3 May 2024', ['2024-04-26…2024-05-03']],
    ['on 2023-02-30', ['2023-02-01…2023-03-01']],
    ['31 February 2024', ['2024-02-01…2024-03-01']],
    ['next May', ['2025-05-01…2025-06-01']],
    ['at 2023-05-08T10:00:00Z', ['2023-05-08…2023-05-09']],
    ['in 2023-05', ['2023-05-01…2023-06-01']],
    ['2023-13 and 9999-99-99', []],
    ['since 2020', ['2020-01-01…2024-05-16']],
    ['since March', ['2024-03-01…2024-05-16']],
    ['since last Friday', ['2024-05-10…2024-05-16']],
    ['after June 2023', ['2023-07-01…2024-05-16']],
    ['before 2020', ['2015-01-02…2020-01-01']],
    ['until 3 May 2024', ['2019-05-05…2024-05-04']],
    ['the Monday before 3 May 2024', ['2024-05-03…2024-05-04']],
    ['the month before March 2024', ['2024-01-30…2024-03-01']],
    ['between 2020 and 2022', ['2020-01-01…2023-01-01']],
    ['from March to May 2023', ['2023-03-01…2023-06-01']],
    ['between November 2022 and February 2023', ['2022-11-01…2023-03-01']],
    ['between August 11 and August 15 2023', ['2023-08-11…2023-08-16']],
    ['from 2023-01-30 until 2023-02-02', ['2023-01-30…2023-02-03']],
    ['in 2021 and 2022', ['2021-01-01…2022-01-01', '2022-01-01…2023-01-01']],
    ['from 4 years ago', ['2020-01-01…2021-01-01']],
    ['he may march on', []],
    ['room 2023', []],
  ])('%s', (text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  it.each([
    ['2024-03-15', 'last March', '2023-03-01…2023-04-01'],
    ['2024-03-15', 'this March', '2024-03-01…2024-04-01'],
    ['2024-03-15', 'next March', '2025-03-01…2025-04-01'],
    ['2024-01-10', 'last winter', '2022-12-01…2023-03-01'],
    ['2024-01-10', 'this winter', '2023-12-01…2024-03-01'],
    ['2024-02-29', 'a year ago', '2023-01-01…2024-01-01'],
    ['2024-02-29', 'yesterday', '2024-02-28…2024-02-29'],
    ['2024-03-01', 'yesterday', '2024-02-29…2024-03-01'],
    ['2024-01-01', 'last week', '2023-12-25…2024-01-01'],
  ])('on %s, %s', (day, text, expected) => {
    expect(spans(text, Date.parse(day))).toEqual([expected]);
  });

  it('returns recent years if none is named', () => {
    expect(spans('in June')).toContain('2023-06-01…2023-07-01');
    expect(spans('in June').length).toBeGreaterThan(3);
  });

  it('reads only the beginning of a very long text', () => {
    expect(timeSpans('last Monday '.repeat(100_000), now).length).toBeLessThan(200);
  });
});

describe('timeFit', () => {
  const [may] = timeSpans('in May 2023', now);

  it('is 1 inside and falls off more slowly after a span than before it', () => {
    if (may === undefined) throw new Error('no span');
    const day = 86_400_000;
    expect(timeFit(may.from + day, [may])).toBe(1);
    const after = timeFit(may.to + 10 * day, [may]);
    const before = timeFit(may.from - 10 * day, [may]);
    expect(after).toBeGreaterThan(before);
    expect(after).toBeLessThan(1);
    expect(timeFit(may.to, [])).toBe(0);
  });
});
