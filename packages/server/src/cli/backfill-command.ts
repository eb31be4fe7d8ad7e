import { type FoundSecrets, Problem, StartUpError } from '@memhall/core';
import { Command, InvalidArgumentError } from 'commander';
import { runApply, runPreview, runVerify } from '../composition/run-backfill.js';
import type { Config } from '../config/settings.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

interface Options {
  dryRun?: boolean;
  apply?: boolean;
  verify?: boolean;
  verifySample: number;
  workspace?: string;
  limit?: number;
  restart?: boolean;
}

const interrupted = 130;

export function backfillCommand(environment: Environment): Command {
  const command = new Command('backfill')
    .description(
      'Copy the memories of an older store (tables agent_memories and workspaces, in MEMORY_LEGACY_DATABASE_URL, else DATABASE_URL) into the memory plugin at MEMORY_PLUGIN_URL, without secrets. Twice is once; what was interrupted goes on. The older store is only read. Also installed as memory-backfill; flags may begin with one dash.',
    )
    .option('--dry-run', 'only count, and say which namespaces the rows of each workspace would go to')
    .option('--apply', 'copy')
    .option('--verify', 'look for the rows of some workspaces in the plugin, and compare')
    .option('--verify-sample <n>', 'how many workspaces to verify, chosen at random', toCount, 50)
    .option('--workspace <id>', 'only this workspace')
    .option('--limit <n>', 'at most so many rows', toCount)
    .option('--restart', 'copy from the beginning, though an earlier run was interrupted');
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'legacyDatabaseUrl', 'memoryPluginUrl', 'logLevel']);
  withExamples(
    command,
    'memhall backfill --dry-run',
    'MEMORY_PLUGIN_URL=http://127.0.0.1:9100 memhall backfill --apply',
    'memory-backfill -verify -verify-sample=200',
  );
  return command.action(async (options: Options) => {
    const modes = [options.dryRun && preview, options.apply && apply, options.verify && verify].filter(Boolean);
    const [run, another] = modes as (typeof apply)[];
    if (run === undefined || another !== undefined) {
      throw new StartUpError('Choose one of --dry-run, --apply and --verify.');
    }
    const config = configFrom({ ...options }, environment);
    const stopping = new AbortController();
    process.once('SIGINT', () => stopping.abort());
    process.once('SIGTERM', () => stopping.abort());
    try {
      await run(config, options, stopping.signal);
    } catch (error) {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    }
  });
}

async function preview(config: Config, options: Options, signal: AbortSignal): Promise<void> {
  const watch = watchRows('Counting');
  const { counts, workspaces, found, stoppedBy } = await runPreview(config, createLogger(config.logLevel), {
    ...selection(options),
    ...watch,
    signal,
  });
  watch.finish();
  for (const [workspace, { rows, namespaces }] of workspaces) {
    const mapping = [...namespaces].map(([name, count]) => `${name}=${count}`).join(' ');
    print(`workspace=${workspace} rows=${rows}${mapping === '' ? '' : ` ${mapping}`}`);
  }
  printRedactions(found);
  finish(`Backfill ${stoppedBy === undefined ? 'complete' : 'interrupted'}`, counts, stoppedBy, counts.errors);
}

async function apply(config: Config, options: Options, signal: AbortSignal): Promise<void> {
  const watch = watchRows('Copying');
  const { counts, found, stoppedBy } = await runApply(config, createLogger(config.logLevel), {
    ...selection(options),
    ...watch,
    restart: options.restart ?? false,
    onResume: ({ scanned }) => print(`Going on behind ${scanned} rows of a run that was interrupted.`),
    signal,
  });
  watch.finish();
  printRedactions(found);
  if (stoppedBy === 'target')
    print('The memory plugin no longer answers, or fails at everything. Run this again to go on.');
  finish(`Backfill ${stoppedBy === undefined ? 'complete' : 'interrupted'}`, counts, stoppedBy, counts.errors);
}

async function verify(config: Config, options: Options, signal: AbortSignal): Promise<void> {
  const bar = new ProgressBar('Verifying');
  const { counts, stoppedBy } = await runVerify(config, createLogger(config.logLevel), {
    workspaceId: options.workspace,
    sample: options.verifySample,
    limit: options.limit,
    signal,
    onWorkspace: (done, of) => bar.update(done, of),
    onMismatch: (id, namespace, reason) => printBeside(bar, `mismatch: id=${id} namespace=${namespace} ${reason}`),
    onFault: (id, reason) => printBeside(bar, `error: id=${id} ${reason}`),
  });
  bar.finish();
  const { workspacesSampled, matches, mismatches, errors } = counts;
  const shown = { workspaces_sampled: workspacesSampled, matches, mismatches, errors };
  finish(`Verify ${stoppedBy === undefined ? 'complete' : 'interrupted'}`, shown, stoppedBy, mismatches + errors);
}

function selection({ workspace, limit }: Options) {
  return { filter: { workspaceId: workspace }, limit };
}

/** A bar on a terminal, else a line a batch. */
function watchRows(label: string) {
  const bar = new ProgressBar(label);
  let total = 0;
  return {
    onTotal: (rows: number) => {
      total = rows;
    },
    onBatch: (counts: { scanned: number }) => {
      if (process.stderr.isTTY) bar.update(counts.scanned, Math.max(total, counts.scanned));
      else print(`${label}: ${describe(counts)} of=${Math.max(total, counts.scanned)}`);
    },
    onFault: (id: string, reason: string) => printBeside(bar, `error: id=${id} ${reason}`),
    finish: () => bar.finish(),
  };
}

function finish(title: string, counts: object, stoppedBy: string | undefined, faults: number): void {
  print(`${title}: ${describe(counts)}`);
  if (stoppedBy === 'signal') process.exitCode = interrupted;
  else if (stoppedBy !== undefined || faults > 0) process.exitCode = 1;
}

function describe(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ');
}

function printBeside(bar: ProgressBar, line: string): void {
  bar.clear();
  print(line);
}

/** How many of which kind; never what they were. */
function printRedactions(found: FoundSecrets): void {
  if (Object.keys(found).length > 0) print(`Redacted: ${describe(found)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function toCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  }
  return count;
}
