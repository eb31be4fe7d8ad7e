import { calendarWords, dayMs, type TimeRange, toLocalMs, toNumber } from '@memhall/core';
import { findDate } from '../rules/resolve-dates.js';

/** When something was said, in the speaker's own time. */
export interface Moment {
  at: Date;
  timeZone: string;
}

/** What the words of a clause say about time. Days as if the speaker's time zone were UTC. */
export interface Times {
  /** "since 2021", "for three years". */
  since?: TimeRange;
  /** "until March". */
  until?: TimeRange;
  /** "last week", "from June", "in 2019". */
  on?: TimeRange;
  /** It is named by the calendar, not by its distance from today. */
  isAbsolute: boolean;
  /** It is named with its year. */
  namesYear: boolean;
  /** "when I was a child", "years ago". */
  isLongAgo: boolean;
  /** "someday", "soon". */
  isSomeday: boolean;
  /** "from June on", "as of Monday": something begins then. */
  isStart: boolean;
  /** "now", "these days". */
  isNow: boolean;
  /** "at the moment", "this week": what is true may not last. */
  isMomentary: boolean;
  /** "on Sundays", "every winter": what is said is limited to it. */
  isRecurring: boolean;
  /** Places of the words in the text. */
  spans: { start: number; end: number }[];
}

const { number, month } = calendarWords;
const unit = '(day|week|month|year)s?';
const duration = new RegExp(
  `\\bfor (?:(?:over|about|almost|nearly|the (?:past|last)|more than|at least) )*(${number}) ${unit}(?: now)?\\b`,
);
const year = /\b(?:early |late |mid-?|the summer of |summer |autumn |spring |winter |fall )?((?:19|20)\d{2})\b/;
const season = /\b(last|this|next|in the|in) (spring|summer|autumn|fall|winter)\b/;
/** "between 2016 and 2019", "between March 2020 and May 2021". */
const between = new RegExp(
  `\\bbetween ((?:${month}|(?:19|20)\\d{2})(?: \\d{4})?) and (?=${month}|(?:19|20)\\d{2})`,
  'g',
);
const now =
  /\b(?:these days|nowadays|as of (?:now|today|this (?:week|month|year))|from now on|(?<!right )(?<!for )now|currently)\b/g;
const momentary =
  /\b(?:right now|for now|at the (?:moment|minute)|at present|for the (?:moment|time being|next \S+(?: \S+)?)|today|tonight|this (?:morning|afternoon|evening|week|weekend|month|quarter|term|semester|season|spring|summer|autumn|fall|winter))\b/g;
const recurring =
  /\b(?:(?:on|at|in) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends|mornings|afternoons|evenings|nights|summers?|winters?|holidays)|(?:every|each|most) (?:\w+day|day|morning|afternoon|evening|night|weekend|week|month|year|spring|summer|autumn|fall|winter|time)s?)\b/g;
const longAgo =
  /\b(?:(?:a while|a long time|some time|many years|years|ages|decades|long) ago|the other day|as a (?:child|kid|teenager|student|boy|girl)|when i was (?:(?:a|an|at|in) )?\S+|growing up|back then|in (?:my|her|his) (?:twenties|thirties|forties|teens|youth|childhood|\d0s)|in the (?:past|(?:nineteen-?)?(?:eighties|nineties)|(?:19)?[5-9]0s)|at (?:uni|university|school|college) (?:i|we)|earlier in my (?:life|career)|in a (?:past|previous|former) life)\b/g;
const someday =
  /\b(?:someday|some day|one day|soon|eventually|at some point|sometime|in the future|later|when i (?:retire|grow up|am older))\b/g;
const recent = /\b(?:recently|lately|earlier (?:today|this (?:week|month|year)))\b/g;
/** Words before a date that say what it limits. */
const before =
  /(?:\b(since|until|till|til|through|from|as of|starting(?: from| on| in)?|effective|beginning(?: in| on)?|by|before|after|to|ever since|back in|around|in|on|during|at|of|early|late|mid|the|this coming|of the|around the|sometime)\s+)+$/;
const starting = /^(?:from|as of|starting|effective|beginning)\b/;
const leading = /^(since|until|till|through|from|by|before|in|on|to|during|coming)\b/;
/** "Since the merger". */
export const sinceEvent =
  /^since (?:the|my|our) (?:wedding|divorce|marriage|separation|break-?up|merger|acquisition|takeover|reorg|restructuring|move|birth|accident|promotion|graduation|pandemic)(?=[\s,])/i;
const mostDates = 4;
const seasons: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

export const noTimes: Times = {
  ...{
    isAbsolute: false,
    namesYear: false,
    isLongAgo: false,
    isSomeday: false,
    isStart: false,
    isNow: false,
    isMomentary: false,
    isRecurring: false,
  },
  spans: [],
};

/** Returns what a clause says about time. `isPast` says in which direction dates without a year lie. */
export function readTimes(text: string, today: number, isPast: boolean): Times {
  // As long as before, so that places stay the same.
  let lower = text.toLowerCase().replaceAll(between, 'from    $1 to  ');
  const isMomentary = lower.replaceAll(now, '').search(momentary) >= 0;
  const times: Times = { ...noTimes, isMomentary, spans: [] };
  const take = (start: number, end: number) => {
    times.spans.push({ start, end });
    lower = lower.slice(0, start) + '_'.repeat(end - start) + lower.slice(end);
  };
  for (const match of lower.matchAll(recurring)) {
    times.isRecurring = true;
    take(match.index, match.index + match[0].length);
  }
  const lasting = duration.exec(lower);
  if (lasting !== null) {
    const from = shift(today, -toNumber(lasting[1] ?? ''), lasting[2] ?? '');
    times.since = { from, to: from + dayMs };
    take(lasting.index, lasting.index + lasting[0].length);
  }
  for (let count = 0; count < mostDates; count++) {
    const found = findTime(lower, today, isPast);
    if (found === undefined) break;
    const { role, words } = found;
    if (role === 'before') times.until = { from: found.from, to: found.from };
    else if (role === 'after') times.on = { from: found.to, to: found.to + dayMs };
    else times[role] ??= { from: found.from, to: found.to };
    times.isAbsolute ||=
      /\d{4}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/.test(words) && !/\b(?:last|this|next)\b/.test(words);
    times.namesYear ||= /\d{4}/.test(words);
    times.isStart ||= role === 'on' && starting.test(words);
    take(found.start, found.end);
  }
  for (const match of lower.matchAll(longAgo)) {
    times.isLongAgo = true;
    take(match.index, match.index + match[0].length);
  }
  for (const match of lower.matchAll(someday)) {
    times.isSomeday = true;
    take(match.index, match.index + match[0].length);
  }
  for (const pattern of [now, momentary, recent]) {
    for (const match of lower.matchAll(pattern)) {
      times.isNow ||= pattern === now;
      take(match.index, match.index + match[0].length);
    }
  }
  return times;
}

/** Returns the first time that is named, with the words that say what it limits. */
function findTime(lower: string, today: number, isPast: boolean) {
  const named = findDate(lower, today, isPast) ?? findYear(lower) ?? findSeason(lower, today, isPast);
  if (named === undefined) return undefined;
  const start = before.exec(lower.slice(0, named.start))?.index ?? named.start;
  const words = lower.slice(start, named.end);
  const role = roleOf(words);
  const past = named.from > today && /^(?:since|as of)\b/.test(words) ? findDate(lower, today, true) : undefined;
  // "As of 1 February" is the nearer one.
  const isPastMeant = past !== undefined && (role === 'since' || today - past.from < named.from - today);
  return { ...(isPastMeant ? past : named), start, words, role: isPastMeant ? ('since' as const) : role };
}

function roleOf(words: string): 'since' | 'until' | 'on' | 'before' | 'after' {
  if (/\bsince\b/.test(words)) return 'since';
  if (/\b(?:until|till?|through|to)\b/.test(words)) return 'until';
  if (/\bbefore\b/.test(words)) return 'before';
  if (/\bafter\b/.test(words)) return 'after';
  if (/\bby\b/.test(words) && leading.test(words)) return 'until';
  return 'on';
}

function findYear(lower: string): (TimeRange & { start: number; end: number }) | undefined {
  const match = year.exec(lower);
  if (match === null) return undefined;
  const named = Number(match[1]);
  return {
    from: Date.UTC(named, 0, 1),
    to: Date.UTC(named + 1, 0, 1),
    start: match.index,
    end: match.index + match[0].length,
  };
}

function findSeason(
  lower: string,
  today: number,
  isPast: boolean,
): (TimeRange & { start: number; end: number }) | undefined {
  const match = season.exec(lower);
  if (match === null) return undefined;
  const month = seasons[match[2] ?? ''] ?? 0;
  const thisYear = new Date(today).getUTCFullYear();
  const begins = (inYear: number) => Date.UTC(inYear, month, 1);
  const ends = (inYear: number) => Date.UTC(inYear, month + 3, 1);
  const years = [thisYear - 1, thisYear, thisYear + 1];
  const chosen =
    match[1] === 'last'
      ? years.findLast((one) => ends(one) <= today)
      : match[1] === 'next'
        ? years.find((one) => begins(one) > today)
        : isPast && match[1] !== 'this'
          ? years.findLast((one) => begins(one) <= today)
          : years.find((one) => ends(one) > today);
  const named = chosen ?? thisYear;
  return { from: begins(named), to: ends(named), start: match.index, end: match.index + match[0].length };
}

function shift(today: number, count: number, unitName: string): number {
  const date = new Date(today);
  if (unitName === 'day' || unitName === 'week') return today + count * (unitName === 'week' ? 7 : 1) * dayMs;
  const months = unitName === 'month' ? count : 12 * count;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
}

/** Midnight of the day on which something was said, as if the speaker's time zone were UTC. */
export function todayOf({ at, timeZone }: Moment): number {
  return Math.floor(toLocalMs(at.getTime(), timeZone) / dayMs) * dayMs;
}
