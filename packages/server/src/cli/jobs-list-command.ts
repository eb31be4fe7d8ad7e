import { StartUpError } from '@memhall/core';
import { Command, Option } from 'commander';
import { type JobRecord, type JobState, jobStates, withLedger } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { toJobTable } from './operator-tables.js';
import { screenOf } from './table.js';

interface Options {
  state?: JobState;
  job?: string;
  limit: string;
  json?: boolean;
}

export function jobsListCommand(environment: Environment): Command {
  const command = new Command('list')
    .description(
      'List jobs, newest first: waiting, running and failed jobs, and jobs completed in the last day. A `failed` job has used up its attempts and runs again only after `memhall jobs retry`. Can run while a server is running.',
    )
    .addOption(new Option('--state <state>', 'List only jobs in this state.').choices(jobStates))
    .option('--job <name>', 'List only jobs with this name.')
    .option('--limit <number>', 'Maximum number of jobs to list, 1 to 10000.', '50')
    .option('--json', 'Print one JSON object per line.');
  addStoreOptions(command);
  withExamples(command, 'memhall jobs list', 'memhall jobs list --state failed --json');
  return command.action(async (options: Options) => {
    const config = configFrom(options, environment);
    const { state, job } = options;
    const limit = readLimit(options.limit);
    const records = await withLedger(config, createLogger(config.logLevel, config.logFormat), (ledger) =>
      ledger.list({ state, job, limit }),
    );
    if (options.json) process.stdout.write(records.map((record) => `${toJson(record)}\n`).join(''));
    else if (records.length > 0) process.stdout.write(toJobTable(records, screenOf(process.stdout, environment)));
    else process.stderr.write(nothingFound(options));
  });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw new StartUpError(`--limit must be a whole number from 1 to 10000, not "${text}".`);
  }
  return limit;
}

function nothingFound({ state, job }: Options): string {
  return state === undefined && job === undefined
    ? 'There are no jobs: nothing waits, and nothing ran in the last day. Run one with `memhall jobs run`.\n'
    : 'There are no such jobs. Try fewer options, or `memhall jobs list`.\n';
}

function toJson(record: JobRecord): string {
  return JSON.stringify({
    id: record.id,
    job: record.job,
    state: record.state,
    key: record.key,
    payload: record.payload,
    attempts: record.attempts,
    max_attempts: record.maxAttempts,
    created_at: record.createdAt,
    start_after: record.startAfter,
    started_at: record.startedAt,
    finished_at: record.finishedAt,
    output: record.output,
  });
}
