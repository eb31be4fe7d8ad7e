import { describe, expect, it } from 'vitest';
import { timeFit, timeSpans } from './time-spans.js';

/** A Wednesday. */
const now = Date.UTC(2024, 4, 15, 12);

function spans(text: string): string[] {
  return timeSpans(text, now).map(
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
    ['31 February 2024', ['2024-02-01…2024-03-01']],
    ['he may march on', []],
    ['room 2023', []],
  ])('%s', (text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  it('takes any recent year when none is named', () => {
    expect(spans('in June')).toContain('2023-06-01…2023-07-01');
    expect(spans('in June').length).toBeGreaterThan(3);
  });

  it('reads only the beginning of a very long text', () => {
    expect(timeSpans('last Monday '.repeat(100_000), now).length).toBeLessThan(200);
  });
});

describe('timeFit', () => {
  const [may] = timeSpans('in May 2023', now);

  it('is 1 inside, and falls off slower after than before', () => {
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
