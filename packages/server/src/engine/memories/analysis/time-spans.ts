import {
  calendarWords,
  dayMs,
  fromLocalMs,
  monthIndex,
  type TimeRange,
  toLocalMs,
  toNumber,
  weekdayIndex,
  wholeDay,
  wholeMonth,
  wholeYear,
} from '@memhall/core';
import { contextOf, type FoundDate, joinDates } from './time-bounds.js';

/** A time range that a text names, and its position in the text. Milliseconds; `to` is exclusive. */
export interface TimeSpan {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** First month, and the month after the last one. */
const seasons: Record<string, [number, number]> = {
  spring: [2, 5],
  summer: [5, 8],
  autumn: [8, 11],
  fall: [8, 11],
  winter: [11, 14],
};
const yearsWithoutYear = 8;

const { month, number, weekday } = calendarWords;
const season = Object.keys(seasons).join('|');

/** Without a year, any recent year may be meant. */
function anyYear(now: number, toRange: (year: number) => TimeRange): TimeRange[] {
  const thisYear = new Date(now).getUTCFullYear();
  return Array.from({ length: yearsWithoutYear }, (_, back) => toRange(thisYear + 1 - back));
}

/**
 * Returns the latest year for which `begins(year)` is not in the future. A winter that began last year may not be over
 * yet.
 */
function latestYear(now: number, begins: (year: number) => number): number {
  const thisYear = new Date(now).getUTCFullYear();
  return [thisYear, thisYear - 1].find((year) => begins(year) <= now) ?? thisYear - 2;
}

function ago(count: number, unit: string, today: number): TimeRange {
  const date = new Date(today);
  const [year, monthNow, dayNow] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'day':
      return { from: today - count * dayMs, to: today - (count - 1) * dayMs };
    case 'week':
      return { from: today - (7 * count + 3) * dayMs, to: today - (7 * count - 4) * dayMs };
    case 'month':
      return { from: Date.UTC(year, monthNow - count, dayNow - 15), to: Date.UTC(year, monthNow - count, dayNow + 16) };
    default:
      return wholeYear(year - count);
  }
}

/** `back` 1 is the unit before the current one. */
function calendarUnit(unit: string, back: number, today: number): TimeRange {
  const date = new Date(today);
  const monday = today - ((date.getUTCDay() + 6) % 7) * dayMs;
  switch (unit) {
    case 'week':
      return { from: monday - 7 * back * dayMs, to: monday + 7 * (1 - back) * dayMs };
    case 'weekend':
      return { from: monday + (5 - 7 * back) * dayMs, to: monday + (7 - 7 * back) * dayMs };
    case 'month':
      return wholeMonth(date.getUTCFullYear(), date.getUTCMonth() - back);
    default:
      return wholeYear(date.getUTCFullYear() - back);
  }
}

function lastWeekday(name: string, today: number): TimeRange {
  const back = (new Date(today).getUTCDay() - weekdayIndex(name) + 7) % 7 || 7;
  return { from: today - back * dayMs, to: today - (back - 1) * dayMs };
}

function seasonOf(year: number, name: string): TimeRange {
  const [first, after] = seasons[name] ?? [0, 0];
  return { from: Date.UTC(year, first, 1), to: Date.UTC(year, after, 1) };
}

const unitDays: Record<string, number> = { day: 1, week: 7, month: 30.5, year: 365.25 };

type Rule = [pattern: string, toRanges: (groups: string[], now: number, today: number) => TimeRange | TimeRange[]];

/** English, most specific first: the first rule that matches a part of the text is used. */
const rules: [RegExp, Rule[1]][] = (
  [
    ['(\\d{4})-(\\d{2})-(\\d{2})(?:t[\\d:.]+z?)?', ([y, m, d]) => wholeDay(Number(y), Number(m) - 1, Number(d))],
    ['((?:19|20)\\d{2})-(0[1-9]|1[0-2])', ([y, m]) => wholeMonth(Number(y), Number(m) - 1)],
    [
      `(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${month})\\.?(?:,? (\\d{4}))?`,
      ([d, m = '', y], now) => datedDay(Number(d), monthIndex(m), y, now),
    ],
    [
      `(${month})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?`,
      ([m = '', d, y], now) => datedDay(Number(d), monthIndex(m), y, now),
    ],
    [`(${month})\\.?,? (?:of )?(\\d{4})`, ([m = '', y]) => wholeMonth(Number(y), monthIndex(m))],
    [`(last|this|next) (${month})`, ([which = '', m = ''], now) => relativeMonth(which, monthIndex(m), now)],
    [
      `(?:in|during|since|of|by|before|after|until|till|early|late|mid|between|from) (${month})`,
      ([m = ''], now) => anyYear(now, (y) => wholeMonth(y, monthIndex(m))),
    ],
    [`(${season})(?: of|,)? (\\d{4})`, ([name = '', y]) => seasonOf(Number(y), name)],
    [`(last|this) (${season})`, ([which = '', name = ''], now) => relativeSeason(which, name, now)],
    [
      '(?:in|during|of|since|before|after|until|till|between|from|year) ((?:19|20)\\d{2})',
      ([y]) => wholeYear(Number(y)),
    ],
    ['(?:and|or|to) ((?:19|20)\\d{2})', ([y]) => wholeYear(Number(y))],
    ['the day before yesterday', (_, __, today) => ({ from: today - 2 * dayMs, to: today - dayMs })],
    ['yesterday|last night', (_, __, today) => ({ from: today - dayMs, to: today })],
    ['today|tonight|this (?:morning|afternoon|evening)', (_, __, today) => ({ from: today, to: today + dayMs })],
    [`(${number}) (day|week|month|year)s? ago`, ([n = '', unit = ''], _, today) => ago(toNumber(n), unit, today)],
    [
      `(?:last|past|previous) (${number}) (day|week|month|year)s?`,
      ([n = '', unit = ''], _, today) => ({
        from: today - toNumber(n) * (unitDays[unit] ?? 1) * dayMs,
        to: today + dayMs,
      }),
    ],
    [
      '(last|past|this) (week|month|year|weekend)',
      ([which, unit = ''], _, today) => calendarUnit(unit, which === 'this' ? 0 : 1, today),
    ],
    [`(?:last|on|this past) (${weekday})`, ([name = ''], _, today) => lastWeekday(name, today)],
  ] satisfies Rule[]
).map(([pattern, toRanges]) => [new RegExp(`\\b(?:${pattern})\\b`, 'g'), toRanges]);

function datedDay(day: number, index: number, year: string | undefined, now: number): TimeRange | TimeRange[] {
  return year === undefined ? anyYear(now, (y) => wholeDay(y, index, day)) : wholeDay(Number(year), index, day);
}

function relativeMonth(which: string, index: number, now: number): TimeRange {
  if (which === 'next') return wholeMonth(latestYear(now, (y) => Date.UTC(y, index, 1)) + 1, index);
  return wholeMonth(
    latestYear(now, (y) => Date.UTC(y, which === 'this' ? index : index + 1, 1)),
    index,
  );
}

function relativeSeason(which: string, name: string, now: number): TimeRange {
  return seasonOf(
    latestYear(now, (y) => (which === 'this' ? seasonOf(y, name).from : seasonOf(y, name).to)),
    name,
  );
}

const shiftDays: Record<string, number> = { day: 1, week: 7, weekend: 7, month: 31 };
const shift = /\b(day|week|weekend|month)s? (before|after)\s+$/;

/** "the week before 3 May" is not 3 May itself. */
function shifted(range: TimeRange, before: string): TimeRange {
  const found = shift.exec(before);
  const lengthMs = (shiftDays[found?.[1] ?? ''] ?? 0) * dayMs;
  if (lengthMs === 0) return range;
  return found?.[2] === 'before'
    ? { from: range.from - lengthMs, to: range.from }
    : { from: range.to, to: range.to + lengthMs };
}

const longestText = 2000;
const leadingWord = /^(?:since|before|after|until|till|between|from|and|or|to) /;

/**
 * Returns the time ranges that a text names relative to `now`, in order. Days begin at midnight of the time zone. Only the beginning of a
 * very long text is read.
 */
export function timeSpans(text: string, now: number, timeZone = 'UTC'): TimeSpan[] {
  const lower = text.slice(0, longestText).toLowerCase();
  const localNow = toLocalMs(now, timeZone);
  const today = Math.floor(localNow / dayMs) * dayMs;
  const dates = joinDates(lower, findDates(lower, localNow, today), today);
  const toMoment = (localMs: number) => fromLocalMs(localMs, timeZone);
  return dates.flatMap(({ ranges, start, end }) =>
    ranges.map(({ from, to }) => ({ from: toMoment(from), to: toMoment(to), start, end })),
  );
}

function findDates(lower: string, now: number, today: number): FoundDate[] {
  const dates: FoundDate[] = [];
  for (const [pattern, toRanges] of rules) {
    for (const match of lower.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      const dateStart = start + (leadingWord.exec(match[0])?.[0].length ?? 0);
      const ranges = [toRanges(match.slice(1), now, today)]
        .flat()
        .map((range) => shifted(range, contextOf(lower, { dateStart })))
        .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
      const isTaken = dates.some((date) => start < date.end && end > date.start);
      if (!isTaken && ranges.length > 0) dates.push({ ranges, start, end, dateStart });
    }
  }
  return dates;
}

/**
 * Returns 1 inside a span and less outside. It falls off more slowly after a span, because people talk about events
 * after they happened.
 */
export function timeFit(at: number, spans: readonly TimeSpan[]): number {
  let best = 0;
  for (const { from, to } of spans) {
    const days = (to - from) / dayMs;
    const before = (from - at) / dayMs / Math.max(1, 0.1 * days);
    const after = (at - to) / dayMs / Math.max(7, 0.25 * days);
    best = Math.max(best, Math.exp(-Math.max(0, before, after)));
  }
  return best;
}
