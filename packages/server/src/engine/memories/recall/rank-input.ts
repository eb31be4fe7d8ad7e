import type { QueryPlan } from './query-plan.js';
import type { ScopeRows, TermMatches } from './scan.js';
import type { TruthQuery } from './truth-query.js';
import type { RecallWeights } from './weights.js';
import type { ChangeTimes } from './what-changed.js';

/** The rows to rank, and the data to rank them by. */
export interface RankInput {
  scope: ScopeRows;
  plan: QueryPlan | undefined;
  matches: TermMatches | undefined;
  cosines: Float32Array | undefined;
  /** Whether the vectors of all rows are in memory, apart from parts that are searched in the database. */
  allRead: boolean;
  weights: RecallWeights;
  now: number;
  limit: number;
  /** Whose facts count, and when; undefined if facts play no part. */
  truth: TruthQuery | undefined;
  /** The changes that are asked for if nothing else is; undefined otherwise. */
  changes?: ChangeTimes | undefined;
  /** Pinned rows that match come before all others, however well those match. */
  pinnedFirst: boolean;
}
