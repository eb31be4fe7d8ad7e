import { type Reading, replaceAll } from './reading.js';

/** What a reader skips between and inside words. Every branch starts with a fixed sign or between two letters. */
const unevenness = new RegExp(
  [
    // Markup inside and between words, and strings that are joined.
    '<!--.{0,20}?-->|</?[a-zA-Z][^<>\\n]{0,80}>',
    '(?<=[a-zA-Z])["\'] ?\\+ ?["\'](?=[ a-zA-Z])',
    // Signs instead of letters.
    '(?<=[a-zA-Z])[!@$|](?=[a-zA-Z])|(?<=^|\\s)[!@$](?=[a-zA-Z]{2})|(?<=[a-zA-Z]{3})\\$(?=\\s|$)',
    // Several words written as one, unless they name a function.
    '(?<=[a-z])\\+(?=[a-z])',
    '(?:(?<=[a-z])_(?=[a-z])|(?<=[A-Z])_(?=[A-Z])|(?<=[a-z])(?=[A-Z][a-z]))(?!\\w{0,60}\\()',
  ].join('|'),
  'g',
);
/** Words of one name are joined by hyphens, so that only its first word can begin an order. */
const meanings: Record<string, string> = { '!': 'i', '@': 'a', $: 's', '|': 'l', '+': ' ', _: '-', '': '-' };

/**
 * Returns the text with markup inside words removed, signs read as the letters they resemble, and `snake_case` and
 * `camelCase` as separate words, or undefined if there is nothing to smooth.
 */
export function smoothText(text: string): Reading | undefined {
  return replaceAll(text, unevenness, (piece) => meanings[piece.charAt(0)] ?? '');
}
