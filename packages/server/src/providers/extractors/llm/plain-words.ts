import { wordsOf } from '../rules/compare.js';

const negative = /n't$|^(?:cannot|(?:do|does|did|is|are|was|were|ca|wo|have|has|had|would|could|should)nt)$/u;

/**
 * Returns the words of a text in the form in which they are compared: lower case, without a possessive `'s`, contracted
 * negations as "not".
 */
export function plainWords(text: string): string[] {
  return wordsOf(text).map((word) => (negative.test(word) ? 'not' : word.replace(/'s$/u, '')));
}
