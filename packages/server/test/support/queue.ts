import { pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openDatabase } from '../../src/composition/open-database.js';
import type { Job } from '../../src/jobs/job.js';
import { JobRunner } from '../../src/jobs/job-runner.js';
import { retryPolicies } from '../../src/jobs/jobs.js';
import { SuspectTurn } from '../../src/jobs/suspect-turn.js';
import { noMarks } from '../../src/ports/loop-marks.js';
import type { JobPayload } from '../../src/ports/queue.js';
import { noTelemetry } from '../../src/ports/telemetry.js';
import type { Database } from '../../src/store/database.js';
import { PgBossLedger } from '../../src/store/pg-boss-ledger.js';
import { PgBossQueue } from '../../src/store/pg-boss-queue.js';
import { prepareQueues } from '../../src/store/queue-schema.js';
import type { TestDatabase } from './databases.js';

let made = 0;

/** Queues on a database of the suite, and runners that are closed after each test. */
export function useQueue(database: () => TestDatabase) {
  let opened: Database;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    opened = await openDatabase(database().config(), pino({ level: 'silent' }));
  });
  afterAll(() => opened.close());
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  /** Registers a job that no other test uses and records its runs. */
  async function newJob(run: Job['run'], rest: Partial<Job> = {}) {
    made += 1;
    const name = `test-${made}`;
    await prepareQueues(opened.pool, [name]);
    const runs: JobPayload[] = [];
    const job: Job = {
      name,
      summary: '',
      concurrency: 1,
      retry: { attempts: 3, firstPauseSeconds: 1 },
      ...rest,
      run(context, payload, signal) {
        runs.push(payload);
        return run(context, payload, signal);
      },
    };
    return { job, runs, ledger: new PgBossLedger(opened.pool, [name]), queue: queueOf([job]) };
  }

  const queueOf = (jobs: readonly Job[], leaseSeconds?: number) =>
    new PgBossQueue(opened.pool, retryPolicies(jobs), leaseSeconds === undefined ? {} : { leaseSeconds });

  function work(jobs: readonly Job[], queue = queueOf(jobs), deadBefore?: Date) {
    const faults: unknown[] = [];
    const outcomes: string[] = [];
    const telemetry = { ...noTelemetry, observeJob: (_: string, outcome: string) => outcomes.push(outcome) };
    const context = { queue } as never;
    const onFault = (error: unknown) => faults.push(error);
    const quick = { pollMs: 100, graceMs: 500, suspects: new SuspectTurn({ patienceMs: 500, aloneMs: 2000 }) };
    const runner = new JobRunner({ queue, jobs, context, telemetry, marks: noMarks, onFault, deadBefore, ...quick });
    runner.start();
    const close = () => runner.close();
    closing.push(close);
    return { queue, faults, outcomes, close };
  }

  return { opened: () => opened, newJob, queueOf, work };
}
