import { readFile, writeFile } from 'node:fs/promises';
import {
  type KnownGap,
  type PluginTarget,
  parseKnownGaps,
  pluginSuite,
  type Report,
  runSuite,
  TargetUnreachable,
  toHumanReport,
  toJsonReport,
  toJUnitReport,
  toRequirementList,
  WrongUse,
} from '@memhall/conformance';
import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

/** 1 is for a plugin that fails, so that a script can tell it from a run that never began. */
const exitCodes = { failed: 1, unable: 2, stopped: 130 } as const;
const msIn: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };
const longestTimeoutMs = 600_000;

interface Options {
  target?: string;
  token?: string;
  junit?: string;
  json?: string;
  knownGaps?: string;
  only?: string[];
  timeout: string;
  embeddingLength?: string;
  list?: boolean;
}

export function conformancePluginCommand(environment: Environment): Command {
  const command = new Command('plugin')
    .description(
      'Hold a memory plugin, in any language, against memory plugin v1 over HTTP, and report by requirement. It works in namespaces of its own (custom:conformance.…) and removes them. Exit code 0: all that must be so is so; 1: something is not; 2: wrong use, or nobody answers.',
    )
    .option('--target <url>', 'where the plugin listens: http://host:port, https://host or unix:/path/to/socket')
    .option(
      '--token <token>',
      'bearer token to send; the variable keeps it out of the list of processes [MEMHALL_PLUGIN_TOKEN]',
    )
    .option('--only <id...>', 'only these requirements, or groups of them: PLUGIN-NS-03, PLUGIN-TTL')
    .option(
      '--known-gaps <file>',
      'requirements known to fail, as JSON: [{"id": "…", "reason": "…"}]; one that passes fails the run',
    )
    .option('--junit <file>', 'write the report as JUnit XML as well')
    .option('--json <file>', 'write the report as JSON as well')
    .option('--timeout <duration>', 'how long a single call may take: 500ms, 10s, 1m', '10s')
    .option('--embedding-length <number>', 'how long embeddings must be, where none of the usual lengths is taken')
    .option('--list', 'print the requirements, and call nobody')
    // Commander's own code for wrong use is 1, which means something else here.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.unable));
  withExamples(
    command,
    'memhall conformance plugin --list',
    'memhall conformance plugin --target http://127.0.0.1:9100',
    'memhall conformance plugin --target unix:/run/plugin.sock --only PLUGIN-NS PLUGIN-TTL-02',
    'memhall conformance plugin --target http://plugin:9100 --junit report.xml --known-gaps gaps.json',
  );
  return command.action(async (options: Options) => {
    if (options.list) {
      process.stdout.write(toRequirementList(pluginSuite));
      return;
    }
    try {
      process.exitCode = await run(options, environment);
    } catch (error) {
      if (!(error instanceof WrongUse || error instanceof TargetUnreachable)) throw error;
      process.stderr.write(`memhall: ${error.message}\n`);
      process.exitCode = exitCodes.unable;
    }
  });
}

async function run(options: Options, environment: Environment): Promise<number> {
  const target = toTarget(options, environment);
  const knownGaps = options.knownGaps === undefined ? [] : await readKnownGaps(options.knownGaps);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const bar = new ProgressBar('Conformance');
  const report = await runSuite(pluginSuite, target, {
    knownGaps,
    ...(options.only === undefined ? {} : { only: options.only }),
    signal: stopping.signal,
    onProgress: ({ done, total }) => bar.update(done, total),
  }).finally(() => bar.finish());
  process.stdout.write(toHumanReport(report, { colours: process.stdout.isTTY === true }));
  if (options.junit !== undefined) await write(options.junit, toJUnitReport(report));
  if (options.json !== undefined) await write(options.json, toJsonReport(report));
  return exitCodeOf(report);
}

function exitCodeOf({ isCancelled, isPassed }: Report): number {
  if (isCancelled) return exitCodes.stopped;
  return isPassed ? 0 : exitCodes.failed;
}

function toTarget({ target, token, timeout, embeddingLength }: Options, environment: Environment): PluginTarget {
  if (target === undefined) throw new WrongUse('Say where the plugin listens: --target http://127.0.0.1:9100');
  const sent = token ?? environment.MEMHALL_PLUGIN_TOKEN;
  return {
    url: target,
    timeoutMs: parseTimeout(timeout),
    ...(sent === undefined || sent === '' ? {} : { token: sent }),
    ...(embeddingLength === undefined ? {} : { embeddingLength: parseLength(embeddingLength) }),
  };
}

function parseTimeout(text: string): number {
  const match = /^(\d{1,6})(ms|s|m)$/.exec(text);
  const ms = Number(match?.[1]) * (msIn[match?.[2] ?? ''] ?? 0);
  if (!(ms > 0 && ms <= longestTimeoutMs)) {
    throw new WrongUse(`--timeout must be a number with ms, s or m, and 10m at most, not "${text}".`);
  }
  return ms;
}

function parseLength(text: string): number {
  const length = Number(text);
  if (!Number.isInteger(length) || length < 1 || length > 100_000) {
    throw new WrongUse(`--embedding-length must be a whole number from 1 to 100000, not "${text}".`);
  }
  return length;
}

async function readKnownGaps(path: string): Promise<KnownGap[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new WrongUse(`The file of known gaps cannot be read: ${(error as Error).message}`);
  });
  return parseKnownGaps(text);
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw new WrongUse(`The report cannot be written: ${(error as Error).message}`);
  });
}
