import { heldBack, holdBackOf } from './hold-back.js';
import type { RankInput } from './rank-input.js';

/** The mean of only a few memories says little about what is typical. */
const fewMemories = 10;

/**
 * Scores how far each row's cosine is above the typical cosine in this scope. Returns undefined if there is no vector
 * to compare with.
 */
export function denseArm(input: RankInput, hasWords: boolean): Float32Array | undefined {
  const { cosines, weights } = input;
  if (cosines === undefined) return undefined;
  const { scores, mean } = holdBackShort(input, cosines);
  let top = 0;
  for (let row = 0; row < scores.length; row++) {
    if (Number.isNaN(cosines[row] ?? Number.NaN)) continue;
    const above = Math.max(0, (scores[row] ?? 0) - mean);
    scores[row] = above;
    if (above > top) top = above;
  }
  if (top === 0) return scores;
  const share = (hasWords ? 1 - weights.lexicalShare : 1) * Math.min(1, top / weights.denseSpread);
  for (let row = 0; row < scores.length; row++) scores[row] = (share * (scores[row] ?? 0)) / top;
  return scores;
}

/** Returns the cosines, reduced for short texts, and their mean. */
function holdBackShort({ scope, matches, weights }: RankInput, cosines: Float32Array) {
  const scores = new Float32Array(cosines.length);
  const averageTerms = matches?.statistics.averageTerms ?? (scope.count === 0 ? 0 : scope.totalTerms / scope.count);
  const holdBack = holdBackOf(averageTerms, weights);
  let sum = 0;
  let embedded = 0;
  for (const [number, { background }] of scope.parts.entries()) {
    const [start, end] = [scope.bases[number] ?? 0, scope.bases[number + 1] ?? 0];
    let own = 0;
    let count = 0;
    for (let row = start; row < end; row++) {
      const cosine = cosines[row] ?? Number.NaN;
      if (Number.isNaN(cosine)) continue;
      scores[row] = heldBack(cosine, scope.termCounts[row] as number, holdBack);
      own += scores[row] as number;
      count += 1;
    }
    sum += background === undefined ? own : background.count * background.meanCosine;
    embedded += background?.count ?? count;
  }
  return { scores, mean: sum / (embedded + fewMemories) };
}

/** Returns the cosine from which a row that shares no word with the query counts as found. */
export function cosineFloor({ scope, weights }: RankInput): number {
  return weights.floor + weights.floorGrowth * Math.max(0, Math.log10(scope.count / 1000));
}
