import { lookAlikes } from './look-alikes.js';

/** Accents, vowel points and strokes that readers ignore, variation selectors, and all invisible characters. */
const skipped = new RegExp(
  [
    '[\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]',
    '[\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u3099\\u309a]',
    '\\p{Default_Ignorable_Code_Point}|\\p{Cf}',
  ].join('|'),
  'gu',
);
const notAscii = /[^\0-\x7f]/gu;
const folded = new Map<string, string>();
/** More than any language needs. The limit stops hostile text from filling the memory with rare characters. */
const mostRemembered = 20_000;

/**
 * Folds text to what a reader sees: lowercase, compatibility forms and look-alikes as plain Latin letters, without
 * accents and invisible characters. Each character is folded separately, so that offsets can be traced back.
 */
export function foldText(text: string): string {
  return text.replace(notAscii, foldCharacter).toLowerCase();
}

/** Returns the offset in `text` for each offset in the folded text, including its end. */
export function traceFold(text: string, foldedLength: number): Uint32Array {
  const offsets = new Uint32Array(foldedLength + 1).fill(text.length);
  let offset = 0;
  let at = 0;
  for (const character of text) {
    const length = character <= '\x7f' ? 1 : foldCharacter(character).length;
    offsets.fill(offset, at, at + length);
    at += length;
    offset += character.length;
  }
  return offsets;
}

function foldCharacter(character: string): string {
  let result = folded.get(character);
  if (result === undefined) {
    result = computeFold(character);
    if (folded.size === mostRemembered) folded.clear();
    folded.set(character, result);
  }
  return result;
}

function computeFold(character: string): string {
  const letter = lookAlikes.get(character);
  if (letter !== undefined) return letter;
  let result = '';
  for (const part of character.normalize('NFKD').replace(skipped, '')) {
    const small = part.toLowerCase().replace(skipped, '');
    result += lookAlikes.get(part) ?? lookAlikes.get(small) ?? small;
  }
  return result;
}
