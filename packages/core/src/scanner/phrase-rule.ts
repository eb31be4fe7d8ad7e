import type { RuleDescription } from './scan-verdict.js';

/** One of `words` (a word or a few), at most `within` words after the end of the part before. */
export interface Part {
  words: readonly string[];
  within: number;
  /** Counts only when the text itself has it in capitals: a name that is also an ordinary one. */
  capitals?: boolean;
  /** Does not count when this follows. */
  unlessBefore?: RegExp;
  /** Counts only when this follows. */
  onlyBefore?: RegExp;
}

export interface PhraseRule extends RuleDescription {
  /** The rule matches when the parts of one of these come in their order. */
  sequences: readonly (readonly Part[])[];
  /**
   * Whether the first part has to be said to the reader: "ignore …" counts, "models ignore …" does not. `strict`
   * where the verb alone does not tell the two apart.
   */
  order: 'any' | 'order' | 'strict';
}

/** @param words separated by `|` */
export function part(within: number, words: string, conditions: Omit<Part, 'words' | 'within'> = {}): Part {
  return { within, words: words.split('|').map((phrase) => phrase.trim()), ...conditions };
}
