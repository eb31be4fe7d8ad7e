import { englishStopWords } from '@memhall/core';
import { toFirstPerson } from '../rules/known-fact.js';
import type { Clause } from '../rules/split-clauses.js';
import { plainWords } from './plain-words.js';
import type { Sentence } from './readable-conversation.js';

const negations = new Set('not no never nor none nothing nobody neither without hardly'.split(' '));
/** A statement is rarely spread over more clauses than this. */
const mostClauses = 4;

/**
 * Returns the words of a text that must occur in the conversation. Stop words and persons ("the user", "I", "you") do
 * not count; negations do.
 */
export function tellingWords(text: string): string[] {
  return plainWords(toFirstPerson(text)).filter((word) => negations.has(word) || !englishStopWords.has(word));
}

/** Equal, or "lives" for "live". No other inflections. */
function isSaid(word: string, said: string): boolean {
  return word === said || word === `${said}s` || word === `${said}es` || word === said.replace(/y$/u, 'ies');
}

function areSaidInOrder(words: readonly string[], said: readonly string[]): boolean {
  let next = 0;
  for (const word of said) if (isSaid(words[next] ?? '', word)) next += 1;
  return words.length > 0 && next === words.length;
}

export function isInSentence(words: readonly string[], sentence: Sentence): boolean {
  return areSaidInOrder(words, sentence.words.flat());
}

/**
 * Finds the part of a sentence that the words point to: the fewest whole clauses that contain them all in order.
 * Clauses are kept whole so that no negation or condition is lost; a preceding condition is included.
 */
export function findClauses(words: readonly string[], sentence: Sentence): Clause[] | undefined {
  if (!isInSentence(words, sentence)) return undefined;
  const { clauses } = sentence;
  for (let count = 1; count <= Math.min(mostClauses, clauses.length); count++) {
    for (let first = clauses.length - count; first >= 0; first--) {
      if (!areSaidInOrder(words, sentence.words.slice(first, first + count).flat())) continue;
      const condition = clauses[first - 1];
      const conditional = condition !== undefined && /^when(?:ever)? /iu.test(condition.text);
      return clauses.slice(conditional ? first - 1 : first, first + count);
    }
  }
  return undefined;
}
