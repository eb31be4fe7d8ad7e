import type { KnownGap } from '../known-gaps.js';
import { groupOf, type Requirement } from '../suite.js';

/**
 * passed, failed: as it says. warned: a `should` that failed. gap: failed, and was declared. closed: declared, and passed;
 * that fails a run, so that lists of gaps stay true. absent: says nothing about a target with these capabilities. open: the
 * run ended before it was known.
 */
const verdicts = ['passed', 'failed', 'warned', 'gap', 'closed', 'absent', 'open'] as const;
export type Verdict = (typeof verdicts)[number];

const failing: readonly Verdict[] = ['failed', 'closed', 'open'];

export interface CaseResult {
  title: string;
  verifies: readonly string[];
  outcome: 'passed' | 'failed' | 'cancelled';
  /** What went otherwise than it should. */
  message?: string;
  durationMs: number;
}

export interface RequirementResult extends Requirement {
  verdict: Verdict;
  /** Why it is known to fail. */
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
  /** What cases made at the target and could not remove. */
  leftBehind: readonly string[];
}

/** What the results of its cases say about a requirement. */
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
