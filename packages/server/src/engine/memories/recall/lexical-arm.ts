import type { RankInput } from './rank-input.js';
import type { RecallWeights } from './weights.js';
import { WordCoverage } from './word-coverage.js';

export interface LexicalArm {
  /** The best row has the arm's share, less if it does not cover the query; others have less. */
  scores: Float32Array;
  coverage: WordCoverage;
  /** 1 for rows whose speaker the query names. */
  named: Uint8Array;
}

/** Scores the rows in scope by BM25. Returns undefined if there are no words to search for. */
export function lexicalArm({ scope, plan, matches, cosines, weights }: RankInput): LexicalArm | undefined {
  if (plan === undefined || matches === undefined || plan.weights.size === 0) return undefined;
  const rows = scope.allowed.length;
  const isLabel = matches.terms.map((hash) => plan.labels.has(hash));
  const worth = matches.terms.map((hash, place) => (isLabel[place] ? 0 : (plan.weights.get(hash) ?? 0)));
  const scores = new Float32Array(rows);
  const named = new Uint8Array(rows);
  const coverage = new WordCoverage(rows, worth);
  const averageTerms = Math.max(1, matches.statistics.averageTerms);
  let top = 0;
  for (let index = 0; index < matches.rows.length; index++) {
    const row = matches.rows[index] as number;
    const place = matches.places[index] as number;
    if (isLabel[place]) {
      named[row] = 1;
      continue;
    }
    const frequency = saturated(
      matches.counts[index] as number,
      scope.termCounts[row] as number,
      averageTerms,
      weights,
    );
    scores[row] = (scores[row] as number) + (worth[place] as number) * frequency;
    coverage.note(row, place);
    if ((scores[row] as number) > top) top = scores[row] as number;
  }
  if (top === 0) return { scores, coverage, named };
  const expected = plan.mass * Math.min(1, Math.sqrt(weights.confidenceTerms / Math.max(1, plan.terms)));
  const sureness = Math.min(1, top / Math.max(expected, Number.MIN_VALUE)) ** weights.confidencePower;
  const share = (cosines === undefined ? 1 : weights.lexicalShare) * sureness;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    if (score > 0) scores[row] = share * (score / top) ** weights.lexicalPower;
  }
  return { scores, coverage, named };
}

/** BM25's term frequency. */
function saturated(count: number, terms: number, averageTerms: number, { k1, b }: RecallWeights): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * terms) / averageTerms));
}
