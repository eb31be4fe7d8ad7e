import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { Job, JobContext } from '../jobs/job.js';
import { jobNames, jobs } from '../jobs/jobs.js';
import { type JobLedger, type JobRecord, type JobState, jobStates } from '../ports/job-ledger.js';
import type { JobPayload, Queue } from '../ports/queue.js';
import type { JobResult } from '../ports/work-queue.js';
import { PgBossLedger } from '../store/pg-boss-ledger.js';
import { openDatabase } from './open-database.js';
import { startEngine } from './start-engine.js';

export const jobSummaries = jobs.map(({ name, summary, everySeconds }) => ({ name, summary, everySeconds }));

/** Opens the job ledger for an operator command. Works while servers and workers are running. */
export async function withLedger<T>(
  config: Config,
  logger: Logger,
  use: (ledger: JobLedger) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    return await use(new PgBossLedger(database.pool, jobNames));
  } finally {
    await database.close();
  }
}

/** Runs a job immediately, bypassing the queue, together with the jobs it enqueues without a delay. */
export async function runJobNow(
  config: Config,
  logger: Logger,
  name: string,
  payload: JobPayload,
  signal: AbortSignal,
): Promise<JobResult> {
  findJob(name);
  const { jobContext, close } = await startEngine(config, logger, { shareRunning: true, runJobs: false });
  try {
    return await run(jobContext, name, payload, signal);
  } finally {
    await close();
  }
}

function run(context: JobContext, name: string, payload: JobPayload, signal: AbortSignal): Promise<JobResult> {
  const queue: Queue = {
    async enqueue(next, about, options = {}) {
      if (options.startAfter !== undefined) return context.queue.enqueue(next, about, options);
      await run(context, next, about, signal);
      return true;
    },
  };
  return findJob(name).run({ ...context, queue }, payload, signal);
}

function findJob(name: string): Job {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new StartUpError(`Unknown job "${name}". Choose one of ${jobNames.join(', ')}.`);
  return job;
}

export { type JobRecord, type JobResult, type JobState, jobStates };
