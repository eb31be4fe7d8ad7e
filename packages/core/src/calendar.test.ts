import { describe, expect, it } from 'vitest';
import { dayMs, monthIndex, toNumber, weekdayIndex, wholeDay, wholeMonth, wholeYear } from './calendar.js';

describe('calendar', () => {
  it('recognizes months by their long and short names', () => {
    expect([monthIndex('january'), monthIndex('may'), monthIndex('sept'), monthIndex('dec')]).toEqual([0, 4, 8, 11]);
  });

  it('numbers weekdays from Sunday', () => {
    expect([weekdayIndex('sunday'), weekdayIndex('saturday'), weekdayIndex('someday')]).toEqual([0, 6, -1]);
  });

  it('parses small numbers as words and digits', () => {
    expect([toNumber('a'), toNumber('twelve'), toNumber('a couple of'), toNumber('37')]).toEqual([1, 12, 2, 37]);
  });

  it('returns whole days, months and years, and NaN for a day that does not exist', () => {
    expect(wholeDay(2024, 1, 29)).toEqual({ from: Date.UTC(2024, 1, 29), to: Date.UTC(2024, 2, 1) });
    expect(wholeDay(2025, 1, 29).from).toBeNaN();
    expect(wholeMonth(2025, 11).to).toBe(Date.UTC(2026, 0, 1));
    expect((wholeYear(2024).to - wholeYear(2024).from) / dayMs).toBe(366);
  });
});
