import type { Candidate } from './candidate.js';
import { contentWords } from './compare.js';
import type { Language } from './languages/language.js';
import { isSecret } from './refusals.js';

const longestValue = 5;

interface Correction {
  value: string;
  /** The replaced value, if the clause names it. */
  old: string | undefined;
}

/**
 * Reads a clause that only makes sense with the statement it corrects: "sorry, I meant Lyon", "it's Lyon, not Paris".
 */
export function readCorrection(
  { point, corrects }: { point: string; corrects: boolean },
  { correction: { corrected, swapped } }: Language,
): Correction | undefined {
  const groups = (swapped.exec(point) ?? corrected.exec(point))?.groups;
  const value = groups?.value?.trim() ?? '';
  const old = groups?.old?.trim();
  if (!isShort(value) || contentWords(value).size === 0 || (old === undefined && !corrects)) return undefined;
  return { value, old };
}

/**
 * Returns the latest fact that the correction can refer to, with the new value in place of the old one: every word of
 * it was said. Without an old value, only facts of this turn and the previous one are considered.
 */
export function applyCorrection(
  { value, old }: Correction,
  facts: readonly Candidate[],
  message: number,
  previousTurn: number,
): Candidate | undefined {
  const recent = ({ messages }: Candidate) => messages.some((place) => place === message || place === previousTurn);
  const earlier = facts.findLast(
    (fact) => (old !== undefined || recent(fact)) && findWords(fact.text, old ?? fact.value) !== -1,
  );
  if (earlier === undefined) return undefined;
  const replaced = old ?? earlier.value;
  const at = findWords(earlier.text, replaced);
  const text = earlier.text.slice(0, at) + value + earlier.text.slice(at + replaced.length);
  if (!isShort(replaced) || !isSameShape(replaced, value) || isSecret(text)) return undefined;
  if (old === undefined && earlier.slot === undefined && !/^[\p{Lu}\p{N}]/u.test(value)) return undefined;
  return {
    ...earlier,
    text,
    value,
    messages: [...earlier.messages, message],
    weights: [{ reason: 'corrected', change: 0.04 }],
    corrects: true,
    supersedes: earlier.text,
  };
}

function isShort(value: string): boolean {
  return value !== '' && value.split(/\s+/u).length <= longestValue;
}

/** Returns the position of the words as whole words, or -1. */
function findWords(text: string, words: string): number {
  if (words === '') return -1;
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at === -1 || text.length !== text.toLowerCase().length) return -1;
  const isInsideWord =
    /[\p{L}\p{M}\p{N}]$/u.test(text.slice(0, at)) || /^[\p{L}\p{M}\p{N}]/u.test(text.slice(at + words.length));
  return isInsideWord ? -1 : at;
}

/** True if both are numbers or both are names, and the value is really new. */
function isSameShape(old: string, value: string): boolean {
  if (value.toLowerCase().includes(old.toLowerCase())) return false;
  if (/^\d/.test(old) || /^\d/.test(value)) return /\d/.test(old) && /\d/.test(value);
  return /^\p{Lu}/u.test(old) === /^\p{Lu}/u.test(value);
}
