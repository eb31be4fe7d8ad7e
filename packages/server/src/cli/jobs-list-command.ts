import { StartUpError } from '@memhall/core';
import { Command, Option } from 'commander';
import { type JobRecord, type JobState, jobStates, withLedger } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';

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
    const config = configFrom({ ...options }, environment);
    const { state, job } = options;
    const limit = readLimit(options.limit);
    const records = await withLedger(config, createLogger(config.logLevel), (ledger) =>
      ledger.list({ state, job, limit }),
    );
    const show = options.json ? toJson : toLine;
    process.stdout.write(records.map((record) => `${show(record)}\n`).join(''));
  });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw new StartUpError(`--limit must be a whole number from 1 to 10000, not "${text}".`);
  }
  return limit;
}

function toLine(record: JobRecord): string {
  const about = Object.entries(record.payload).map(([name, value]) => `${name}=${value}`);
  const output = record.output === null ? [] : [JSON.stringify(record.output)];
  const attempts = `attempts=${record.attempts}/${record.maxAttempts}`;
  return [record.id, record.job, record.state, record.createdAt.toISOString(), attempts, ...about, ...output].join(' ');
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
