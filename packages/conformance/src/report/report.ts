import type { KnownGap } from '../known-gaps.js';
import { groupOf, type Requirement } from '../suite.js';

/**
 * - `passed`, `failed`: the result of a requirement
 * - `warned`: a `should` requirement failed
 * - `gap`: failed, and was declared as a known gap
 * - `closed`: passed, but was declared as a known gap; this fails the run, so that lists of gaps stay correct
 * - `absent`: does not apply to a target with these capabilities
 * - `open`: the run ended before it was verified
 */
const verdicts = ['passed', 'failed', 'warned', 'gap', 'closed', 'absent', 'open'] as const;
export type Verdict = (typeof verdicts)[number];

const failing: readonly Verdict[] = ['failed', 'closed', 'open'];

export interface CaseResult {
  title: string;
  verifies: readonly string[];
  outcome: 'passed' | 'failed' | 'cancelled';
  /** Why the case failed. */
  message?: string;
  durationMs: number;
}

export interface RequirementResult extends Requirement {
  verdict: Verdict;
  /** Reason of the known gap. */
  reason?: string;
  cases: readonly CaseResult[];
}

export interface GroupResult {
  title: string;
  requirements: readonly RequirementResult[];
}

export interface Report {
  suite: string;
  title: string;
  target: string;
  capabilities: readonly string[];
  startedAt: string;
  durationMs: number;
  isCancelled: boolean;
  isPassed: boolean;
  counts: Readonly<Record<Verdict, number>>;
  groups: readonly GroupResult[];
  /** Data of cases that could not be removed from the target. */
  leftBehind: readonly string[];
}

/** Derives the verdict on a requirement from the results of its cases. */
export function judge(
  requirement: Requirement,
  cases: readonly CaseResult[],
  gap: KnownGap | undefined,
  isApplicable: boolean,
): RequirementResult {
  const verdict = isApplicable ? verdictOf(requirement, cases, gap) : 'absent';
  return { ...requirement, verdict, ...(gap === undefined ? {} : { reason: gap.reason }), cases };
}

function verdictOf({ level }: Requirement, cases: readonly CaseResult[], gap: KnownGap | undefined): Verdict {
  if (cases.some(({ outcome }) => outcome === 'failed')) {
    if (gap !== undefined) return 'gap';
    return level === 'must' ? 'failed' : 'warned';
  }
  if (cases.length === 0 || cases.some(({ outcome }) => outcome === 'cancelled')) return 'open';
  return gap === undefined ? 'passed' : 'closed';
}

export function toGroups(
  titles: Readonly<Record<string, string>>,
  results: readonly RequirementResult[],
): GroupResult[] {
  return Object.entries(titles)
    .map(([group, title]) => ({ title, requirements: results.filter(({ id }) => groupOf(id) === group) }))
    .filter(({ requirements }) => requirements.length > 0);
}

export function countVerdicts(results: readonly RequirementResult[]): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

export function isFailing(verdict: Verdict): boolean {
  return failing.includes(verdict);
}
