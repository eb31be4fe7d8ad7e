import { setMaxListeners } from 'node:events';
import { WrongUse } from './faults.js';
import { checkKnownGaps, type KnownGap } from './known-gaps.js';
import { type CaseResult, countVerdicts, isFailing, judge, type Report, toGroups } from './report/report.js';
import { applies, type Case, type Requirement, type Session, type Suite } from './suite.js';

export interface RunOptions {
  /** Requirement ids, or their prefixes up to a dash (`PLUGIN-NS`). Default: all. */
  only?: readonly string[];
  knownGaps?: readonly KnownGap[];
  /** Number of cases that run concurrently. */
  concurrency?: number;
  /** Ends the run early: running cases are cancelled, their data is removed, and the report is marked as cancelled. */
  signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

export interface Progress {
  done: number;
  total: number;
  /** The case that has just ended. Absent at the start. */
  latest?: CaseResult;
}

/**
 * Runs a suite against a target. Throws WrongUse or TargetUnreachable before the first case, and nothing after that.
 */
export async function runSuite<Target, Probe>(
  suite: Suite<Target, Probe>,
  target: Target,
  { only, knownGaps = [], concurrency = 8, signal: outer, onProgress }: RunOptions = {},
): Promise<Report> {
  const signal = AbortSignal.any(outer === undefined ? [] : [outer]);
  // Every running call and wait adds a listener.
  setMaxListeners(0, signal);
  const chosen = choose(suite.requirements, only);
  checkKnownGaps(knownGaps, suite.requirements);
  const startedAt = new Date();
  const session = await suite.connect(target, signal);
  try {
    const applicable = new Set(chosen.filter((one) => applies(one, session.conditions)).map(({ id }) => id));
    const cases = suite.cases.filter((one) => isRunnable(one, suite.requirements, applicable, session.conditions));
    const { results, leftBehind } = await runCases(session, cases, concurrency, signal, onProgress);
    const judged = chosen.map((requirement) =>
      judge(
        requirement,
        results.filter(({ verifies }) => verifies.includes(requirement.id)),
        knownGaps.find(({ id }) => id === requirement.id),
        applicable.has(requirement.id),
      ),
    );
    return {
      suite: suite.name,
      title: suite.title,
      target: session.target,
      capabilities: session.capabilities,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      isCancelled: signal.aborted,
      isPassed: !judged.some(({ verdict }) => isFailing(verdict)),
      counts: countVerdicts(judged),
      groups: toGroups(suite.groups, judged),
      leftBehind,
    };
  } finally {
    await session.close();
  }
}

function choose(requirements: readonly Requirement[], only: readonly string[] | undefined): readonly Requirement[] {
  if (only === undefined || only.length === 0) return requirements;
  const isMeant = (id: string, wanted: string) => id === wanted || id.startsWith(`${wanted}-`);
  for (const wanted of only) {
    if (!requirements.some(({ id }) => isMeant(id, wanted))) {
      throw new WrongUse(`There is no requirement ${wanted}. Use --list to show all requirements.`);
    }
  }
  return requirements.filter(({ id }) => only.some((wanted) => isMeant(id, wanted)));
}

/** A case runs if it verifies a chosen requirement and all requirements it verifies apply to this target. */
function isRunnable(
  { verifies }: Case<never>,
  requirements: readonly Requirement[],
  applicable: ReadonlySet<string>,
  conditions: readonly string[],
): boolean {
  const cited = requirements.filter(({ id }) => verifies.includes(id));
  return verifies.some((id) => applicable.has(id)) && cited.every((one) => applies(one, conditions));
}

async function runCases<Probe>(
  session: Session<Probe>,
  cases: readonly Case<Probe>[],
  concurrency: number,
  signal: AbortSignal,
  onProgress: RunOptions['onProgress'],
): Promise<{ results: CaseResult[]; leftBehind: string[] }> {
  const results = new Array<CaseResult>(cases.length);
  const leftBehind: string[] = [];
  let next = 0;
  let done = 0;
  onProgress?.({ done, total: cases.length });
  const work = async () => {
    for (let number = next++; number < cases.length; number = next++) {
      const { result, left } = await runCase(session, cases[number] as Case<Probe>, signal);
      results[number] = result;
      leftBehind.push(...left);
      done += 1;
      onProgress?.({ done, total: cases.length, latest: result });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, cases.length)) }, work));
  return { results, leftBehind };
}

async function runCase<Probe>(
  session: Session<Probe>,
  { title, verifies, run }: Case<Probe>,
  signal: AbortSignal,
): Promise<{ result: CaseResult; left: readonly string[] }> {
  const end = (outcome: CaseResult['outcome'], durationMs: number, message?: string): CaseResult => ({
    title,
    verifies,
    outcome,
    durationMs,
    ...(message === undefined ? {} : { message }),
  });
  if (signal.aborted) return { result: end('cancelled', 0), left: [] };
  const began = Date.now();
  const { probe, release } = session.openProbe(signal);
  try {
    await run(probe);
    return { result: end('passed', Date.now() - began), left: await release() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const result = signal.aborted ? end('cancelled', Date.now() - began) : end('failed', Date.now() - began, message);
    return { result, left: await release() };
  }
}
