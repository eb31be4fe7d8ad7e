import { cities } from './known-values.js';

/** Limits of the contract, in characters; `evidence` and `names` (of one subject) are counts. */
export const factLimits = { subject: 200, attribute: 100, value: 2000, note: 2000, evidence: 100, names: 100 } as const;

/**
 * How values of an attribute are compared. `place`: a city under two spellings is one. `digits`: of a phone number. `date`: a day of the
 * calendar, with or without its year.
 */
export type Comparison = 'text' | 'place' | 'digits' | 'date';

/** Returns what subjects and values are compared by: no case, no differences in spacing. */
export function textKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/gu, ' ');
}

/** Returns what names of attributes are compared by: `lives_in` is `Lives in`. */
export function attributeKey(name: string): string {
  return textKey(name.replaceAll(/[_-]+/g, ' ')) || textKey(name);
}

/** Cities that are written differently in their own language. */
const ownNames: Readonly<Record<string, string>> = {
  munchen: 'munich',
  koln: 'cologne',
  wien: 'vienna',
  roma: 'rome',
  milano: 'milan',
  torino: 'turin',
  napoli: 'naples',
  firenze: 'florence',
  venezia: 'venice',
  praha: 'prague',
  warszawa: 'warsaw',
  kobenhavn: 'copenhagen',
  goteborg: 'gothenburg',
  lisboa: 'lisbon',
  sevilla: 'seville',
  bruxelles: 'brussels',
  brussel: 'brussels',
  'den haag': 'hague',
  nyc: 'new york',
  'new york city': 'new york',
  sf: 'san francisco',
  la: 'los angeles',
  philly: 'philadelphia',
  dc: 'washington',
  'washington dc': 'washington',
  'st petersburg': 'saint petersburg',
  geneve: 'geneva',
  genf: 'geneva',
  bucuresti: 'bucharest',
  beograd: 'belgrade',
  athina: 'athens',
  moskva: 'moscow',
};

/** Letters that Unicode does not write as a letter with a mark. */
const plainLetters: Readonly<Record<string, string>> = { ø: 'o', å: 'a', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd' };

/**
 * Whether two different values can take each other's place without a word about a change. A place and a part of it, or its country, can
 * both be true. A name with more words (`Siemens Energy`), or spelled almost the same, may mean the same, and so may a number with its
 * country code.
 */
export function areAlternatives(one: string, other: string, comparison: Comparison): boolean {
  if (comparison === 'digits')
    return !one.endsWith(other.slice(-lastDigits)) && !other.endsWith(one.slice(-lastDigits));
  if (comparison === 'place' && cities.has(one) !== cities.has(other)) return false;
  // "04.05." may be in April or in May.
  if (comparison === 'date' && ![one, other].every((key) => dateKey.test(key))) return false;
  const [words, others] = [toWordSet(one), toWordSet(other)];
  if (comparison === 'text' && isShortFormOf(words, others)) return false;
  return !isPartOf(words, others) && !isPartOf(others, words) && !isSpelledAlike(one, other);
}

/** Numbers that end with the same digits are one number, with and without its prefix. */
const lastDigits = 7;
/** Longer values are texts. */
const longestName = 60;

function toWordSet(key: string): ReadonlySet<string> {
  return new Set(key.match(/[\p{L}\p{N}]+/gu) ?? []);
}

const shortestForm = 3;

/** `Sam` may be `Samuel`. */
function isShortFormOf(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [first = '', other = ''] = [...words].slice(0, 1).concat([...others].slice(0, 1));
  const [short, long] = first.length < other.length ? [first, other] : [other, first];
  return short.length >= shortestForm && /^\p{L}+$/u.test(short) && long.startsWith(short);
}

function isPartOf(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return words.size > 0 && [...words].every((word) => others.has(word));
}

/** Whether one letter differs, or two in a long name; dots and spaces do not count. */
function isSpelledAlike(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((key) => key.normalize('NFD').replaceAll(/[^\p{L}\p{N}]+/gu, ''))
    .sort((a, b) => a.length - b.length);
  if (short === long) return true;
  if (long.length > longestName) return false;
  const most = short.length >= 8 ? 2 : short.length >= 4 ? 1 : 0;
  return long.length - short.length <= most && most > 0 && differencesOf(short, long, most) <= most;
}

/** Returns how many letters were added, left out or exchanged, up to `most` + 1. */
function differencesOf(one: string, other: string, most: number): number {
  if (one === '' || other === '') return one.length + other.length;
  if (one[0] === other[0]) return differencesOf(one.slice(1), other.slice(1), most);
  if (most === 0) return 1;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  const fewest = Math.min(
    differencesOf(rest, otherRest, most - 1),
    differencesOf(rest, other, most - 1),
    differencesOf(one, otherRest, most - 1),
  );
  return 1 + fewest;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dateKey = /^\d{1,2} [a-z]{3}(?: \d{4})?$/;

/** `4 may 1990` for "May 4th, 1990" and "the 4th of May 1990". */
function toDateKey(key: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(key);
  if (iso !== null) return `${Number(iso[3])} ${months[Number(iso[2]) - 1] ?? iso[2]} ${iso[1]}`;
  const month = months.find((name) => new RegExp(`(?<!\\p{L})${name}`, 'u').test(key));
  const day = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d\p{L}])/u.exec(key)?.[1];
  const year = /(?<!\d)\d{4}(?!\d)/.exec(key)?.[0];
  return month === undefined || day === undefined ? key : [Number(day), month, year].filter(Boolean).join(' ');
}

export function valueKey(value: string, comparison: Comparison): string {
  const key = textKey(value);
  if (comparison === 'digits') return key.replaceAll(/[^\p{N}+]/gu, '').replace(/^00/, '+') || key;
  if (comparison === 'text') return key;
  if (comparison === 'date') return toDateKey(key);
  const plain = key
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[øåæœßłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
  return Object.hasOwn(ownNames, plain) ? (ownNames[plain] ?? plain) : plain || key;
}
