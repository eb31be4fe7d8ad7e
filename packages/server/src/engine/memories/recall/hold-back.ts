import type { RecallWeights } from './weights.js';

/**
 * Short texts are similar to anything, so their cosine is reduced: a text of `terms` words keeps `terms / (terms +
 * holdBack)` of it. A text without words (an emoji) counts as one word.
 */
export function holdBackOf(averageTerms: number, weights: RecallWeights): number {
  return Math.min(weights.shortAbsolute, weights.shortRelative * averageTerms);
}

export function heldBack(cosine: number, terms: number, holdBack: number): number {
  const words = Math.max(1, terms);
  return cosine * (words / (words + holdBack));
}
