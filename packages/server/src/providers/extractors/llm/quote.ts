import { englishStopWords } from '@memhall/core';
import { wordsOf } from '../rules/compare.js';
import { toFirstPerson } from '../rules/known-fact.js';
import type { Sentence } from './readable-conversation.js';

const negations = new Set('not no never nor none nothing nobody neither without hardly'.split(' '));
const negative = /n't$|^(?:cannot|(?:do|does|did|is|are|was|were|ca|wo|have|has|had|would|could|should)nt)$/u;
/** A statement is seldom spread over more clauses than this. */
const mostClauses = 4;

/**
 * The words that a text must find again in what was said. Stop words and persons ("the user", "I", "you") do not
 * count, negations do.
 */
function tellingWords(text: string): string[] {
  return plainWords(toFirstPerson(text)).filter((word) => negations.has(word) || !englishStopWords.has(word));
}

function plainWords(text: string): string[] {
  return wordsOf(text).map((word) => (negative.test(word) ? 'not' : word.replace(/'s$/u, '')));
}

/** Equal, or "lives" for "live". No other inflection. */
function isSaid(word: string, said: string): boolean {
  return word === said || word === `${said}s` || word === `${said}es` || word === said.replace(/y$/u, 'ies');
}

function areSaidInOrder(words: readonly string[], text: string): boolean {
  let next = 0;
  for (const said of plainWords(text)) if (isSaid(words[next] ?? '', said)) next += 1;
  return words.length > 0 && next === words.length;
}

/**
 * The stretch of a sentence that a text points to: the fewest whole clauses that hold all its telling words in their
 * order. Whole clauses, so that no negation or condition is lost; a condition in front belongs to them.
 */
export function findClauses(text: string, { clauses }: Sentence): Sentence['clauses'] | undefined {
  const words = tellingWords(text);
  for (let count = 1; count <= Math.min(mostClauses, clauses.length); count++) {
    for (let first = clauses.length - count; first >= 0; first--) {
      const span = clauses.slice(first, first + count);
      if (!areSaidInOrder(words, span.map((clause) => clause.text).join(' '))) continue;
      const condition = clauses[first - 1];
      return condition !== undefined && /^when(?:ever)? /iu.test(condition.text) ? [condition, ...span] : span;
    }
  }
  return undefined;
}

export function isInSentence(text: string, sentence: Sentence): boolean {
  return areSaidInOrder(tellingWords(text), sentence.text);
}
