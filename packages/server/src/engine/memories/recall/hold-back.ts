import type { RecallWeights } from './weights.js';

/** Short texts are close to anything: a text of `terms` words keeps `terms / (terms + holdBack)` of its cosine, one without words (an emoji) as if it had one. */
export function holdBackOf(averageTerms: number, weights: RecallWeights): number {
  return Math.min(weights.shortAbsolute, weights.shortRelative * averageTerms);
}

export function heldBack(cosine: number, terms: number, holdBack: number): number {
  const words = Math.max(1, terms);
  return cosine * (words / (words + holdBack));
}
