/** Milliseconds since 1970, UTC; `to` is exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

export const dayMs = 86_400_000;

const months = 'january february march april may june july august september october november december'.split(' ');
const shortMonths: Record<string, number> = {
  jan: 0,
  feb: 1,
  mar: 2,
  apr: 3,
  jun: 5,
  jul: 6,
  aug: 7,
  sep: 8,
  sept: 8,
  oct: 9,
  nov: 10,
  dec: 11,
};
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const numbers: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  'a couple of': 2,
  couple: 2,
  'a few': 3,
  few: 3,
  several: 4,
};

/** English calendar words as alternatives for a regular expression. They match lowercase text. */
export const calendarWords = {
  month: [...months, ...Object.keys(shortMonths)].join('|'),
  weekday: weekdays.join('|'),
  number: ['\\d{1,3}', ...Object.keys(numbers)].sort((a, b) => b.length - a.length).join('|'),
} as const;

/** Returns the index of a month, where January is 0. A word that is not a month counts as January. */
export function monthIndex(name: string): number {
  const index = months.indexOf(name);
  return index === -1 ? (shortMonths[name] ?? 0) : index;
}

/** Returns the index of a weekday, where Sunday is 0, or -1 for a word that is not a weekday. */
export function weekdayIndex(name: string): number {
  return weekdays.indexOf(name);
}

export function toNumber(text: string): number {
  return numbers[text] ?? Number(text);
}

/** Returns the range of a day. `from` is NaN if the day does not exist. */
export function wholeDay(year: number, month: number, day: number): TimeRange {
  const from = Date.UTC(year, month, day);
  const exists = new Date(from).getUTCMonth() === month;
  return { from: exists ? from : Number.NaN, to: from + dayMs };
}

export function wholeMonth(year: number, month: number): TimeRange {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
}

export function wholeYear(year: number): TimeRange {
  return { from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) };
}
