import type { QueryPlan } from './query-plan.js';
import type { ScopeRows, TermMatches } from './scan.js';
import type { RecallWeights } from './weights.js';

/** What is ranked, and by what. */
export interface RankInput {
  scope: ScopeRows;
  plan: QueryPlan | undefined;
  matches: TermMatches | undefined;
  cosines: Float32Array | undefined;
  weights: RecallWeights;
  now: number;
  limit: number;
  /** Pinned rows that fit come before all others, however well those fit. */
  pinnedFirst: boolean;
}
