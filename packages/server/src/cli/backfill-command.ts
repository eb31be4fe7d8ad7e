import { type FoundSecrets, Problem, StartUpError } from '@memhall/core';
import { Command, InvalidArgumentError } from 'commander';
import { runApply, runPreview, runVerify } from '../composition/run-backfill.js';
import type { Config } from '../config/settings.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { readAcceptedRows } from './read-accepted-rows.js';
import { describeCounts, printCounts } from './report.js';

interface Options {
  dryRun?: boolean;
  apply?: boolean;
  verify?: boolean;
  verifySample: number;
  workspace?: string;
  limit?: number;
  restart?: boolean;
  accepted?: string;
  json?: true;
}

type Print = (line: string) => void;

const interrupted = 130;

export function backfillCommand(environment: Environment): Command {
  const command = new Command('backfill')
    .description(
      'Copy the memories of an older store into the memory plugin at MEMORY_PLUGIN_URL, with secrets redacted. The older store is the tables agent_memories and workspaces in MEMORY_LEGACY_DATABASE_URL, or in DATABASE_URL if that is not set; it is only read. If the plugin lists the capability embedding and not fts, the embedder computes a vector for each memory; use the one that the server uses. Give exactly one of --dry-run, --apply and --verify. Running --apply twice copies nothing twice, and an interrupted run continues where it stopped. Also installed as memory-backfill, whose flags may start with a single dash.',
    )
    .option('--dry-run', 'Copy nothing; count the rows and show the target namespaces of each workspace.')
    .option('--apply', 'Copy the rows.')
    .option('--verify', 'Compare the rows of some workspaces with the plugin.')
    .option('--verify-sample <n>', 'Number of workspaces to verify, chosen at random.', toCount, 50)
    .option(
      '--accepted <file>',
      'JSON list of rows whose differences do not fail --verify: [{"id": "…", "kind": "missing", "reason": "…"}]. kind is missing, hidden, different or error; without it, any difference is accepted.',
    )
    .option('--workspace <id>', 'Process only this workspace.')
    .option('--limit <n>', 'Process at most this many rows.', toCount)
    .option('--restart', 'Start from the first row instead of continuing an interrupted run.')
    .option('--json', 'Print the counts as one line of JSON, and everything else to standard error.');
  addConfigOptions(command, [
    'dataDirectory',
    'databaseUrl',
    'legacyDatabaseUrl',
    'memoryPluginUrl',
    'embedder',
    'logLevel',
    'logFormat',
  ]);
  withExamples(
    command,
    'memhall backfill --dry-run',
    'MEMORY_PLUGIN_URL=http://127.0.0.1:9100 memhall backfill --apply',
    'memory-backfill -verify -verify-sample=200',
    'memhall backfill --verify --accepted accepted.json',
  );
  return command.action(async (options: Options) => {
    const modes = [options.dryRun && preview, options.apply && apply, options.verify && verify].filter(Boolean);
    const [run, another] = modes as (typeof apply)[];
    if (run === undefined || another !== undefined) {
      throw new StartUpError('Give exactly one of --dry-run, --apply and --verify.');
    }
    if (options.accepted !== undefined && run !== verify) {
      throw new StartUpError('--accepted can only be used with --verify.');
    }
    const config = configFrom(options, environment);
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
  const print = printerOf(options);
  const watch = watchRows('Counting', print);
  const { counts, workspaces, found, stoppedBy } = await runPreview(
    config,
    createLogger(config.logLevel, config.logFormat),
    {
      ...selection(options),
      ...watch,
      signal,
    },
  );
  watch.finish();
  for (const [workspace, { rows, namespaces }] of workspaces) {
    const mapping = [...namespaces].map(([name, count]) => `${name}=${count}`).join(' ');
    print(`workspace=${workspace} rows=${rows}${mapping === '' ? '' : ` ${mapping}`}`);
  }
  printRedactions(found, print);
  finish(options, `Backfill ${stoppedBy === undefined ? 'complete' : 'interrupted'}`, counts, stoppedBy, counts.errors);
}

async function apply(config: Config, options: Options, signal: AbortSignal): Promise<void> {
  const print = printerOf(options);
  const watch = watchRows('Copying', print);
  const { counts, found, stoppedBy } = await runApply(config, createLogger(config.logLevel, config.logFormat), {
    ...selection(options),
    ...watch,
    restart: options.restart ?? false,
    onResume: ({ scanned }) => print(`Continuing an interrupted run after ${scanned} rows.`),
    signal,
  });
  watch.finish();
  printRedactions(found, print);
  if (stoppedBy === 'target')
    print(
      'The memory plugin stopped responding, or every call to it or to the embedder fails. Run this command again to continue.',
    );
  finish(options, `Backfill ${stoppedBy === undefined ? 'complete' : 'interrupted'}`, counts, stoppedBy, counts.errors);
}

async function verify(config: Config, options: Options, signal: AbortSignal): Promise<void> {
  const accepted = options.accepted === undefined ? undefined : await readAcceptedRows(options.accepted);
  const print = printerOf(options);
  const bar = new ProgressBar('Verifying');
  const { counts, stoppedBy } = await runVerify(config, createLogger(config.logLevel, config.logFormat), {
    workspaceId: options.workspace,
    sample: options.verifySample,
    limit: options.limit,
    signal,
    accepted,
    onAccepted: (id, difference, { reason }) =>
      printAboveBar(print, bar, `accepted: id=${id} ${difference}${reason === undefined ? '' : ` (${reason})`}`),
    onStale: (id, reason) =>
      printAboveBar(print, bar, `stale: id=${id} ${reason}: remove it from the list of accepted rows`),
    onWorkspace: (done, of) => bar.update(done, of),
    onMismatch: (id, namespace, reason) =>
      printAboveBar(print, bar, `mismatch: id=${id} namespace=${namespace} ${reason}`),
    onFault: (id, reason) => printAboveBar(print, bar, `error: id=${id} ${reason}`),
  });
  bar.finish();
  const { workspacesSampled, matches, mismatches, errors, amongEquals } = counts;
  if (amongEquals > 0) {
    print(`Not told apart: ${amongEquals} rows, each with the same text as a hundred memories that were found.`);
  }
  const shown = {
    ...{ workspaces_sampled: workspacesSampled, matches, mismatches, errors },
    ...(accepted === undefined ? {} : { accepted: counts.accepted }),
  };
  finish(
    options,
    `Verify ${stoppedBy === undefined ? 'complete' : 'interrupted'}`,
    shown,
    stoppedBy,
    mismatches + errors,
  );
}

function selection({ workspace, limit }: Options) {
  return { filter: { workspaceId: workspace }, limit };
}

/** Shows a progress bar on a terminal, otherwise prints a line for each batch. */
function watchRows(label: string, print: Print) {
  const bar = new ProgressBar(label);
  let total = 0;
  return {
    onTotal: (rows: number) => {
      total = rows;
    },
    onBatch: (counts: { scanned: number }) => {
      if (process.stderr.isTTY) bar.update(counts.scanned, Math.max(total, counts.scanned));
      else print(`${label}: ${describeCounts(counts)} of=${Math.max(total, counts.scanned)}`);
    },
    onFault: (id: string, reason: string) => printAboveBar(print, bar, `error: id=${id} ${reason}`),
    finish: () => bar.finish(),
  };
}

function finish({ json }: Options, title: string, counts: object, stoppedBy: string | undefined, faults: number): void {
  printCounts(json, title, { ...counts });
  if (stoppedBy === 'signal') process.exitCode = interrupted;
  else if (stoppedBy !== undefined || faults > 0) process.exitCode = 1;
}

function printAboveBar(print: Print, bar: ProgressBar, line: string): void {
  bar.clear();
  print(line);
}

/** Prints how many secrets of each kind were redacted, never the secrets themselves. */
function printRedactions(found: FoundSecrets, print: Print): void {
  if (Object.keys(found).length > 0) print(`Redacted: ${describeCounts(found)}`);
}

/** Programs read standard output: what people are told goes elsewhere. */
function printerOf({ json }: Options): Print {
  const stream = json ? process.stderr : process.stdout;
  return (line) => stream.write(`${line}\n`);
}

function toCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It must be a whole number, 1 or greater.');
  }
  return count;
}
