import { wordsOf } from '../rules/compare.js';

const negative = /n't$|^(?:cannot|(?:do|does|did|is|are|was|were|ca|wo|have|has|had|would|could|should)nt)$/u;

/** The words of a text as they are compared: lower case, without the `'s` of possession, contracted negations as "not". */
export function plainWords(text: string): string[] {
  return wordsOf(text).map((word) => (negative.test(word) ? 'not' : word.replace(/'s$/u, '')));
}
