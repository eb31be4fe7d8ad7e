import { findHidden } from './find-hidden.js';

/** The words of a folded text, as parallel arrays because a megabyte has hundreds of thousands of words. */
export interface Tokens {
  text: string;
  /** A URL with a scheme (`https://…`) is one word. */
  words: string[];
  starts: number[];
  ends: number[];
  /**
   * The distance between two words is the difference of their positions. The end of a sentence counts as several words.
   */
  positions: number[];
  /** Whether the word is inside an HTML comment or other text that a rendered page does not show. */
  hidden: boolean[];
}

/** More than any rule allows between two of its parts. Added to the position at the end of a sentence. */
export const sentenceDistance = 8;
const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts written without spaces between words: each character counts as a word. */
const wordOfOne = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;
const other = 0;
const ofWord = 1;
const ofOne = 2;
const unknown = 255;
const underscore = 0x5f;
const kinds = new Uint8Array(0x10000).fill(unknown);
const wordsOfOne = new Map<number, string>();
const endOfAddress = /[\s<>"'`|\\^]|$/g;

/** Splits a folded text into words. Takes time linear in its length. */
export function tokenise(text: string): Tokens {
  const tokens: Tokens = { text, words: [], starts: [], ends: [], positions: [], hidden: [] };
  let position = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const kind = code === underscore && !joinsWord(text, at) ? other : kindOf(code);
    if (kind === other) {
      if (endsSentence(text, at, code)) position += sentenceDistance;
      at += code > 0xffff ? 2 : 1;
      continue;
    }
    const end = kind === ofOne ? at + (code > 0xffff ? 2 : 1) : endOfWord(text, at);
    position++;
    tokens.words.push(kind === ofOne ? toWordOfOne(code) : toWord(text, at, end));
    tokens.starts.push(at);
    tokens.ends.push(end);
    tokens.positions.push(position);
    at = end;
  }
  tokens.hidden = toHidden(text, tokens.starts);
  return tokens;
}

function toHidden(text: string, starts: readonly number[]): boolean[] {
  const spans = findHidden(text);
  let span = 0;
  return starts.map((at) => {
    while (at >= (spans[span]?.end ?? Number.POSITIVE_INFINITY)) span++;
    return at >= (spans[span]?.start ?? Number.POSITIVE_INFINITY);
  });
}

/** Returns whether a word goes on after the underscore, which is otherwise emphasis. */
function joinsWord(text: string, at: number): boolean {
  return kindOf(text.codePointAt(at + 1) ?? 0) === ofWord && kindOf(text.charCodeAt(at - 1) || 0) === ofWord;
}

function kindOf(code: number): number {
  if (code > 0xffff) return computeKind(code);
  let kind = kinds[code] ?? other;
  if (kind === unknown) {
    kind = computeKind(code);
    kinds[code] = kind;
  }
  return kind;
}

function computeKind(code: number): number {
  const character = String.fromCodePoint(code);
  if (wordOfOne.test(character)) return ofOne;
  return wordCharacter.test(character) ? ofWord : other;
}

function endsSentence(text: string, at: number, code: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (code === 0x0a) return next === 0x0a || (next === 0x0d && text.charCodeAt(at + 2) === 0x0a);
  if (code === 0x3002) return true;
  if (code === 0x2e && text.charCodeAt(at - 1) === 0x2e) return false;
  if (code === 0x2e && /(?:^|\n)\s{0,8}\d{1,3}$/.test(text.slice(Math.max(0, at - 12), at))) return false;
  // A JSON member name, `"name":`, is not a sentence, but the text after it does not continue it either.
  if (code === 0x3a) return text.charCodeAt(at - 1) === 0x22;
  return (code === 0x2e || code === 0x21 || code === 0x3f) && !(next >= 0x2e);
}

function endOfWord(text: string, start: number): number {
  const spelled = endOfSpelledWord(text, start);
  if (spelled !== undefined) return spelled;
  let end = start;
  for (;;) {
    const code = text.codePointAt(end) ?? 0;
    if (code === underscore && end > start && !joinsWord(text, end)) break;
    if (kindOf(code) === ofWord) end += code > 0xffff ? 2 : 1;
    else if (code === 0x27 && isLetter(text, end - 1) && isLetter(text, end + 1)) end++;
    else break;
  }
  if (!text.startsWith('://', end)) return end;
  endOfAddress.lastIndex = end;
  return endOfAddress.exec(text)?.index ?? text.length;
}

/**
 * Returns the end of a word of three or more letters that is spelled out with one repeated separator: `i g n o r e`.
 */
function endOfSpelledWord(text: string, start: number): number | undefined {
  const separator = text.charCodeAt(start + 1);
  if (kindOf(separator) !== other || !isLetter(text, start)) return undefined;
  let end = start + 1;
  while (
    text.charCodeAt(end) === separator &&
    isLetter(text, end + 1) &&
    kindOf(text.charCodeAt(end + 2) || 0) === other
  ) {
    end += 2;
  }
  return end - start >= 5 ? end : undefined;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x61 && code <= 0x7a;
}

/** Returns the same string for all occurrences, because a Chinese text has the most words for its size. */
function toWordOfOne(code: number): string {
  let word = wordsOfOne.get(code);
  if (word === undefined) {
    word = String.fromCodePoint(code);
    wordsOfOne.set(code, word);
  }
  return word;
}

function toWord(text: string, start: number, end: number): string {
  const word = text.slice(start, end);
  const isSpelled = end - start >= 5 && kindOf(text.charCodeAt(start + 1)) === other && isLetter(text, start);
  return isSpelled && !isLetter(text, start + 3) && word[1] !== "'" ? word.replace(/[^a-z]/g, '') : word;
}
