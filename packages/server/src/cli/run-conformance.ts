import { readFile, writeFile } from 'node:fs/promises';
import {
  type KnownGap,
  parseKnownGaps,
  type Report,
  runSuite,
  type Suite,
  TargetUnreachable,
  toHumanReport,
  toJsonReport,
  toJUnitReport,
  toRequirementList,
  WrongUse,
} from '@memhall/conformance';
import type { Command } from 'commander';
import type { Environment } from './config-options.js';
import { ProgressBar } from './progress-bar.js';
import { screenOf } from './table.js';

/** 1 means that the target failed, so that a script can distinguish it from a run that never started. */
const exitCodes = { failed: 1, unable: 2, stopped: 130 } as const;
const msIn: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };
const longestTimeoutMs = 600_000;

/** Options that every suite has. */
export interface ConformanceOptions {
  junit?: string;
  json?: string;
  knownGaps?: string;
  only?: string[];
  timeout: string;
  list?: boolean;
}

/** Adds the options that every suite has. `example` shows values for `--only`. */
export function addConformanceOptions(command: Command, example: string): Command {
  return (
    command
      .option('--only <id...>', `Check only these requirements or groups, such as ${example}.`)
      .option(
        '--known-gaps <file>',
        'JSON file of requirements known to fail: [{"id": "…", "reason": "…"}]. The run fails if one of them passes.',
      )
      .option('--junit <file>', 'Also write the report as JUnit XML.')
      .option('--json <file>', 'Also write the report as JSON. With `-`, print it instead of the text.')
      .option('--timeout <duration>', 'Timeout of a single call, 10m at most: 500ms, 10s, 1m.', '10s')
      .option('--list', 'Print the requirements without checking anything.')
      // Commander exits with 1 on wrong usage, which means a failed requirement here.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.unable))
  );
}

/** Lists the requirements of a suite, or checks a target against them and prints the report. Sets the exit code. */
export async function runConformance<Target, Probe>(
  environment: Environment,
  suite: Suite<Target, Probe>,
  options: ConformanceOptions,
  toTarget: () => Target,
): Promise<void> {
  if (options.list) {
    process.stdout.write(toRequirementList(suite));
    return;
  }
  try {
    process.exitCode = await run(suite, options, toTarget(), screenOf(process.stdout, environment).hasColours);
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof TargetUnreachable)) throw error;
    process.stderr.write(`memhall: ${error.message}\n`);
    process.exitCode = exitCodes.unable;
  }
}

async function run<Target, Probe>(
  suite: Suite<Target, Probe>,
  options: ConformanceOptions,
  target: Target,
  colours: boolean,
): Promise<number> {
  const knownGaps = options.knownGaps === undefined ? [] : await readKnownGaps(options.knownGaps);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const bar = new ProgressBar('Conformance');
  const report = await runSuite(suite, target, {
    knownGaps,
    ...(options.only === undefined ? {} : { only: options.only }),
    signal: stopping.signal,
    onProgress: ({ done, total }) => bar.update(done, total),
  }).finally(() => bar.finish());
  process.stdout.write(options.json === '-' ? toJsonReport(report) : toHumanReport(report, { colours }));
  if (options.junit !== undefined) await write(options.junit, toJUnitReport(report));
  if (options.json !== undefined && options.json !== '-') await write(options.json, toJsonReport(report));
  return exitCodeOf(report);
}

function exitCodeOf({ isCancelled, isPassed }: Report): number {
  if (isCancelled) return exitCodes.stopped;
  return isPassed ? 0 : exitCodes.failed;
}

export function parseTimeout(text: string): number {
  const match = /^(\d{1,6})(ms|s|m)$/.exec(text);
  const ms = Number(match?.[1]) * (msIn[match?.[2] ?? ''] ?? 0);
  if (!(ms > 0 && ms <= longestTimeoutMs)) {
    throw new WrongUse(`--timeout must be a number with ms, s or m, at most 10m, not "${text}".`);
  }
  return ms;
}

async function readKnownGaps(path: string): Promise<KnownGap[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new WrongUse(`Cannot read the file of known gaps: ${(error as Error).message}`);
  });
  return parseKnownGaps(text);
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw new WrongUse(`Cannot write the report: ${(error as Error).message}`);
  });
}
