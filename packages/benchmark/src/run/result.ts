import type { Capability } from '../capabilities.js';
import type { Area, Measure } from '../cases/case.js';

/** `error`: the adapter or the benchmark failed, not a promise of the system. */
export type Status = 'passed' | 'failed' | 'measured' | 'not claimed' | 'not measured' | 'error';

export interface CaseResult {
  case: string;
  status: Status;
  seed: number;
  seconds: number;
  /** What was found wrong, or why it was not run. */
  detail?: string;
  notes: readonly string[];
  measures?: readonly Measure[];
  /** The capability that is not claimed. */
  missing?: Capability;
  /** Repeats this case alone. */
  command: string;
}

export interface SystemResult {
  system: string;
  title: string;
  versions: Readonly<Record<string, string>>;
  settings: string;
  documentation: string;
  claims: Readonly<Record<string, { claimed: boolean; note: string }>>;
  /** Why it could not be run at all. */
  unavailable?: string;
  cases: readonly CaseResult[];
}

export interface BenchmarkResult {
  benchmark: string;
  date: string;
  node: string;
  platform: string;
  postgres: string | undefined;
  embedder: string;
  seed: number;
  repeat: number;
  cases: readonly { id: string; area: Area; title: string; needs: readonly Capability[] }[];
  systems: readonly SystemResult[];
}
