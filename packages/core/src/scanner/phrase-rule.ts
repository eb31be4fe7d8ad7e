import type { RuleDescription } from './scan-verdict.js';

/**
 * Matches one of `words` (each a word or a short phrase), at most `within` words after the end of the previous part.
 */
export interface Part {
  words: readonly string[];
  within: number;
  /** Matches only if the original text is in capitals, for names that are also ordinary words. */
  capitals?: boolean;
  /** Does not match if this follows. */
  unlessBefore?: RegExp;
  /** Matches only if this follows. */
  onlyBefore?: RegExp;
  /** Matches only if this precedes. */
  onlyAfter?: RegExp;
}

export interface PhraseRule extends RuleDescription {
  /** The rule matches when the parts of one sequence occur in order. */
  sequences: readonly (readonly Part[])[];
  /**
   * Whether the first part must address the reader: "ignore …" counts, "models ignore …" does not. Use `strict` if the
   * verb form alone does not distinguish the two.
   */
  order: 'any' | 'order' | 'strict';
  /** Whether the rule is only for text that a rendered page does not show. */
  isHidden?: boolean;
}

/** @param words alternatives separated by `|` */
export function part(within: number, words: string, conditions: Omit<Part, 'words' | 'within'> = {}): Part {
  return { within, words: words.split('|').map((phrase) => phrase.trim()), ...conditions };
}
