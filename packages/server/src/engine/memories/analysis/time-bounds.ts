import { calendarWords, dayMs, type TimeRange } from '@memhall/core';

/** A date in a text in lower case, and the time ranges it may mean; if it names no year, the latest comes first. */
export interface FoundDate {
  ranges: TimeRange[];
  start: number;
  end: number;
  /** Start of the date itself, after a word such as `since`. */
  dateStart: number;
}

/** How far "before" and "until" reach back. */
const openMs = 5 * 365 * dayMs;

const bound = /\b(since|before|after|until|till)\s+$/;
/** "the Monday before 24 July" is close to that date and not a bound. */
const near = new RegExp(`\\b(?:${calendarWords.weekday}|day|night|week|weekend|month|year)s? (?:before|after)\\s+$`);
const opens = /\b(?:between|from)\s+$/;
const joins = /^\s*(?:and|to|until|till|through|-|–)\s+$/;
/** Only this many characters before a date are examined. */
const contextLength = 24;

/**
 * Combines dates with the words between them: "since 2020" lasts until today, "between March and May" is one range. In
 * order.
 */
export function joinDates(text: string, dates: readonly FoundDate[], today: number): FoundDate[] {
  const sorted = [...dates].sort((a, b) => a.start - b.start);
  const joined: FoundDate[] = [];
  for (let index = 0; index < sorted.length; index++) {
    const date = sorted[index] as FoundDate;
    const next = sorted[index + 1];
    const before = contextOf(text, date);
    if (next !== undefined && opens.test(before) && joins.test(text.slice(date.end, next.dateStart))) {
      joined.push({ ...date, ranges: between(date.ranges, next.ranges), end: next.end });
      index += 1;
    } else {
      joined.push({ ...date, ranges: bounded(date.ranges, before, today) });
    }
  }
  return joined;
}

export function contextOf(text: string, { dateStart }: Pick<FoundDate, 'dateStart'>): string {
  return text.slice(Math.max(0, dateStart - contextLength), dateStart);
}

function between(first: readonly TimeRange[], last: readonly TimeRange[]): TimeRange[] {
  return last.map(({ from, to }) => ({ from: first.find((one) => one.from <= from)?.from ?? from, to }));
}

/** If several years are possible, the latest one that is not in the future is meant. */
function bounded(ranges: TimeRange[], before: string, today: number): TimeRange[] {
  const word = near.test(before) ? undefined : bound.exec(before)?.[1];
  const range = word === undefined ? undefined : ranges.find(({ from }) => from <= today);
  if (range === undefined) return ranges;
  const { from, to } = range;
  switch (word) {
    case 'since':
      return [{ from, to: Math.max(to, today + dayMs) }];
    case 'after':
      return [{ from: to, to: Math.max(to + dayMs, today + dayMs) }];
    case 'before':
      return [{ from: from - openMs, to: from }];
    default:
      return [{ from: from - openMs, to }];
  }
}
