import { cities } from './known-values.js';

/** Limits of the contract, in characters; `evidence` and `names` (of one subject) are counts. */
export const factLimits = { subject: 200, attribute: 100, value: 2000, note: 2000, evidence: 100, names: 100 } as const;

/** How values of an attribute are compared. `place`: a city under two spellings is one. `digits`: of a phone number. */
export type Comparison = 'text' | 'place' | 'digits';

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
 * both be true.
 */
export function areAlternatives(one: string, other: string, comparison: Comparison): boolean {
  return comparison !== 'place' || cities.has(one) === cities.has(other);
}

export function valueKey(value: string, comparison: Comparison): string {
  const key = textKey(value);
  if (comparison === 'digits') return key.replaceAll(/[^\p{N}+]/gu, '').replace(/^00/, '+') || key;
  if (comparison === 'text') return key;
  const plain = key
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[øåæœßłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
  return Object.hasOwn(ownNames, plain) ? (ownNames[plain] ?? plain) : plain || key;
}
