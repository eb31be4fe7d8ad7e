import {
  calendarWords,
  dayMs,
  monthIndex,
  type TimeRange,
  toNumber,
  weekdayIndex,
  wholeDay,
  wholeMonth,
  wholeYear,
} from '@memhall/core';
import type { DayRange } from '../../../ports/extractor.js';
import type { Language } from './languages/language.js';

/** The calendar day on which a message was written, in its own time zone. */
interface MessageDay {
  /** Midnight of that day as if its offset were UTC. */
  today: number;
  /** Minutes east of UTC. */
  offset: number;
}

const timestampPattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

/** Returns undefined if the text is not an RFC 3339 time with an offset. */
export function toMessageDay(timestamp: string | undefined): MessageDay | undefined {
  const match = timestampPattern.exec(timestamp ?? '');
  const at = Date.parse(timestamp ?? '');
  if (match === null || Number.isNaN(at)) return undefined;
  const offset = (match[1] === '-' ? -1 : 1) * (Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0));
  return { today: Math.floor((at + offset * 60_000) / dayMs) * dayMs, offset };
}

interface Reading {
  today: number;
  past: boolean;
}

const { month, number, weekday } = calendarWords;

/** Returns the range in the nearest year, in the direction (past or future) that the clause implies. */
function nearest({ today, past }: Reading, inYear: (year: number) => TimeRange): TimeRange {
  const year = new Date(today).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].map(inYear).filter(({ from }) => Number.isFinite(from));
  const found = past ? candidates.findLast(({ from }) => from <= today) : candidates.find(({ to }) => to > today);
  return found ?? { from: Number.NaN, to: Number.NaN };
}

function day(at: number): TimeRange {
  return { from: at, to: at + dayMs };
}

function mondayOf(today: number): number {
  return today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs;
}

/**
 * "Friday" and "this Friday" are the coming one, "next Friday" is in the week after this one, "last Friday" is the one
 * before today.
 */
function weekdayRange(which: string, name: string, { today, past }: Reading): TimeRange {
  const index = weekdayIndex(name);
  const ahead = (index - new Date(today).getUTCDay() + 7) % 7;
  if (which === 'next') return day(mondayOf(today) + (7 + ((index + 6) % 7)) * dayMs);
  if (which === 'last' || (past && which !== 'this')) return day(today - (7 - ahead || 7) * dayMs);
  return day(today + ahead * dayMs);
}

function unitRange(which: string, unit: string, { today }: Reading): TimeRange {
  const step = which === 'next' ? 1 : which === 'last' ? -1 : 0;
  const date = new Date(today);
  const monday = mondayOf(today);
  if (unit === 'week') return { from: monday + 7 * step * dayMs, to: monday + 7 * (step + 1) * dayMs };
  if (unit === 'weekend') return { from: monday + (5 + 7 * step) * dayMs, to: monday + (7 + 7 * step) * dayMs };
  if (unit === 'month') return wholeMonth(date.getUTCFullYear(), date.getUTCMonth() + step);
  return wholeYear(date.getUTCFullYear() + step);
}

function shifted(count: number, unit: string, { today }: Reading): TimeRange {
  const date = new Date(today);
  const [year, monthNow, dayNow] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'day') return day(today + count * dayMs);
  if (unit === 'week') return day(today + 7 * count * dayMs);
  if (unit === 'month') return day(Date.UTC(year, monthNow + count, dayNow));
  return day(Date.UTC(year + count, monthNow, dayNow));
}

function relativeMonth(which: string, name: string, reading: Reading): TimeRange {
  const index = monthIndex(name);
  const year = new Date(reading.today).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].map((y) => wholeMonth(y, index));
  const found =
    which === 'last'
      ? candidates.findLast(({ to }) => to <= reading.today)
      : which === 'next'
        ? candidates.find(({ from }) => from > reading.today)
        : wholeMonth(year, index);
  return found ?? { from: Number.NaN, to: Number.NaN };
}

type DateRule = [pattern: string, toRange: (groups: string[], reading: Reading) => TimeRange];

/** English, most specific first. */
const rules: [RegExp, DateRule[1]][] = (
  [
    ['(\\d{4})-(\\d{2})-(\\d{2})', ([y, m, d]) => wholeDay(Number(y), Number(m) - 1, Number(d))],
    [
      `(?:the )?end of (?:the )?(?:(${month})|(week|month|year))`,
      ([name, unit], reading) => endOf(name, unit, reading),
    ],
    [
      `(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${month})(?:,? (\\d{4}))?`,
      ([d, name = '', y], reading) => dated(d, name, y, reading),
    ],
    [
      `(${month}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?`,
      ([name = '', d, y], reading) => dated(d, name, y, reading),
    ],
    [`(${month}),? (?:of )?(\\d{4})`, ([name = '', y]) => wholeMonth(Number(y), monthIndex(name))],
    [`(last|this|next) (${month})`, ([which = '', name = ''], reading) => relativeMonth(which, name, reading)],
    [
      `(?:in|to|until|till|by|since|from|during|early|late|mid|through) (${month})`,
      ([name = ''], reading) => nearest(reading, (y) => wholeMonth(y, monthIndex(name))),
    ],
    ['(?:in|since|until|during|by) ((?:19|20)\\d{2})', ([y]) => wholeYear(Number(y))],
    ["new year(?:'s)?(?: day)?", (_, reading) => dated('1', 'january', undefined, reading)],
    ['the day after tomorrow', (_, { today }) => day(today + 2 * dayMs)],
    ['tomorrow', (_, { today }) => day(today + dayMs)],
    ['the day before yesterday', (_, { today }) => day(today - 2 * dayMs)],
    ['yesterday|last night', (_, { today }) => day(today - dayMs)],
    ['today|tonight|this (?:morning|afternoon|evening)', (_, { today }) => day(today)],
    [
      `in (${number}) (day|week|month|year)s?(?:' time)?`,
      ([n = '', unit = ''], reading) => shifted(toNumber(n), unit, reading),
    ],
    [
      `(${number}) (day|week|month|year)s? (?:from (?:now|today))`,
      ([n = '', unit = ''], reading) => shifted(toNumber(n), unit, reading),
    ],
    [`(${number}) (day|week|month|year)s? ago`, ([n = '', unit = ''], reading) => shifted(-toNumber(n), unit, reading)],
    [
      `(?:the next|another) (${number}) (day|week|month|year)s?`,
      ([n = '', unit = ''], reading) => ({ from: reading.today, to: shifted(toNumber(n), unit, reading).from }),
    ],
    [
      '(last|this|next|all) (week|weekend|month|year)',
      ([which = '', unit = ''], reading) => unitRange(which, unit, reading),
    ],
    [
      `(?:(last|this|next|on|since|from|starting|until|till|by|through|before|coming) )(${weekday})(?!s)`,
      ([which = '', name = ''], reading) => weekdayRange(which, name, reading),
    ],
  ] satisfies DateRule[]
).map(([pattern, toRange]) => [new RegExp(`\\b(?:${pattern})\\b`, 'i'), toRange]);

function endOf(name: string | undefined, unit: string | undefined, reading: Reading): TimeRange {
  const whole =
    name === undefined ? unitThatEnds(unit ?? '', reading) : nearest(reading, (y) => wholeMonth(y, monthIndex(name)));
  return { from: whole.to - dayMs, to: whole.to };
}

/** What has ended ended last year, not this one. */
function unitThatEnds(unit: string, reading: Reading): TimeRange {
  const whole = unitRange('this', unit, reading);
  return reading.past && whole.to - dayMs > reading.today ? unitRange('last', unit, reading) : whole;
}

function dated(d: string | undefined, name: string, year: string | undefined, reading: Reading): TimeRange {
  const inYear = (y: number) => wholeDay(y, monthIndex(name), Number(d));
  return year === undefined ? nearest(reading, inYear) : inYear(Number(year));
}

/** A time expression in a text in lower case, and the days it names, as if their offset were UTC. */
export interface FoundDate extends TimeRange {
  start: number;
  end: number;
}

/** Returns the first and most specific time expression of a text in lower case. */
export function findDate(lower: string, today: number, past: boolean): FoundDate | undefined {
  for (const [pattern, toRange] of rules) {
    const match = pattern.exec(lower);
    if (match === null) continue;
    const { from, to } = toRange(match.slice(1), { today, past });
    if (!isInCalendar(from) || !isInCalendar(to)) return undefined;
    return { from, to, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** Returns the days that a clause names, based on its first and most specific time expression. */
export function resolveDate(
  text: string,
  messageDay: MessageDay,
  past: boolean,
  calendar: Language['calendar'] = [],
): (DayRange & { endMs: number }) | undefined {
  const lower = calendar.reduce((read, [pattern, english]) => read.replace(pattern, english), text.toLowerCase());
  const found = findDate(lower, messageDay.today, past);
  if (found === undefined) return undefined;
  const { from, to } = found;
  return { from: toDay(from), to: toDay(to - dayMs), endMs: to - messageDay.offset * 60_000 };
}

function isInCalendar(at: number): boolean {
  return at >= Date.UTC(1000, 0, 1) && at < Date.UTC(9999, 0, 1);
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
