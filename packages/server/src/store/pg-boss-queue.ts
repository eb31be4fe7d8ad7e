import { randomUUID } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import type PgBoss from 'pg-boss';
import type { EnqueueOptions, JobPayload } from '../ports/queue.js';
import type { JobFailure, JobResult, RetryPolicy, TakenJob, WorkQueue } from '../ports/work-queue.js';
import { openBoss, queueSchema } from './queue-schema.js';
import { toProblem } from './to-problem.js';

/** Waiting jobs practically never expire: nothing would add a dropped job again. */
const keepWaitingDays = 3650;
/** How long a job is put back while another one with the same key is running. */
const standBackSeconds = 2;
/** How often finished jobs are removed; expired leases are handled on every call. */
const clearEveryMs = 3_600_000;
const scheduleKey = 'schedule';

/**
 * pg-boss adds, fetches, retries and removes jobs. It has no leases and no keys of this kind, so those are statements
 * on its tables.
 */
export class PgBossQueue implements WorkQueue {
  readonly leaseSeconds: number;
  readonly #pool: Pool;
  readonly #boss: PgBoss;
  readonly #policies: ReadonlyMap<string, RetryPolicy>;
  readonly #listeners: (() => void)[] = [];
  #clearedAtMs = 0;

  constructor(pool: Pool, policies: ReadonlyMap<string, RetryPolicy>, options: { leaseSeconds?: number } = {}) {
    this.#pool = pool;
    this.#boss = openBoss(pool);
    this.#policies = policies;
    this.leaseSeconds = options.leaseSeconds ?? 30;
  }

  onEnqueued(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async enqueue(job: string, payload: JobPayload, { key, startAfter }: EnqueueOptions = {}): Promise<boolean> {
    const options = this.#sendOptions(job);
    if (key !== undefined && (await this.#exists(job, key, ['created', 'retry']))) return false;
    const id = await this.#boss.send(job, payload, {
      ...options,
      singletonKey: key ?? randomUUID(),
      ...(startAfter === undefined ? {} : { startAfter }),
    });
    if (id !== null) for (const listener of this.#listeners) listener();
    return id !== null;
  }

  async look(jobs: readonly string[]): Promise<{ due: string[]; now: Date }> {
    const [row] = await this.#query<{ now: Date; due: string[] }>(
      `SELECT now() AS now, ARRAY(SELECT DISTINCT name FROM ${queueSchema}.job
         WHERE name = ANY ($1) AND state < 'active' AND start_after < now()) AS due`,
      [jobs],
    );
    return row ?? { due: [], now: new Date(0) };
  }

  async take(job: string, limit: number): Promise<TakenJob[]> {
    const fetched = await this.#boss.fetch<JobPayload>(job, { includeMetadata: true, batchSize: limit });
    const taken = fetched.map(({ id, data, retryCount, retryLimit }) => ({
      id,
      job,
      payload: data,
      attempt: retryCount + 1,
      lastAttempt: retryCount >= retryLimit,
    }));
    const standing = await this.#standBack(taken);
    return taken.filter(({ id }) => !standing.has(id));
  }

  async keep(taken: readonly TakenJob[]): Promise<Set<string>> {
    const rows = await this.#query<{ id: string }>(
      `UPDATE ${queueSchema}.job SET expire_in = now() - started_on + make_interval(secs => $1)
       FROM unnest($2::text[], $3::uuid[], $4::int[]) AS mine (name, id, retry_count)
       WHERE job.name = mine.name AND job.id = mine.id AND job.retry_count = mine.retry_count AND state = 'active'
       RETURNING job.id`,
      [this.leaseSeconds, ...columnsOf(taken)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async complete({ job, id }: TakenJob, result: JobResult): Promise<void> {
    await this.#boss.complete(job, id, result);
  }

  async fail({ job, id, lastAttempt }: TakenJob, failure: JobFailure): Promise<void> {
    await this.#boss.fail(job, id, failure);
    if (!lastAttempt) return;
    await this.#query(
      `DELETE FROM ${queueSchema}.job AS older USING ${queueSchema}.job AS dead
       WHERE dead.name = $1 AND dead.id = $2 AND dead.state = 'failed' AND older.name = $1 AND older.id <> dead.id
         AND older.state = 'failed' AND older.singleton_key = dead.singleton_key`,
      [job, id],
    );
  }

  async release(taken: readonly TakenJob[]): Promise<void> {
    await this.#release(taken, 0);
  }

  async releaseAll(): Promise<void> {
    await this.#query(
      `UPDATE ${queueSchema}.job SET state = 'retry', started_on = NULL, start_after = now() WHERE state = 'active'`,
      [],
    );
  }

  async schedule(job: string, everySeconds: number): Promise<'added' | 'busy' | 'done'> {
    const options = this.#sendOptions(job);
    if (await this.#exists(job, scheduleKey, ['created', 'retry', 'active'])) return 'busy';
    const period = { singletonKey: scheduleKey, singletonSeconds: everySeconds };
    return (await this.#boss.send(job, {}, { ...options, ...period })) === null ? 'done' : 'added';
  }

  async maintain(): Promise<void> {
    if (Date.now() - this.#clearedAtMs < clearEveryMs) return this.#boss.expire();
    this.#clearedAtMs = Date.now();
    await this.#boss.maintain();
  }

  #sendOptions(job: string): PgBoss.SendOptions {
    const policy = this.#policies.get(job);
    if (policy === undefined) throw new Error(`unknown job: ${job}`);
    return {
      retryLimit: policy.attempts - 1,
      retryDelay: policy.firstPauseSeconds,
      retryBackoff: true,
      expireInSeconds: this.leaseSeconds,
      retentionDays: keepWaitingDays,
    };
  }

  async #exists(job: string, key: string, states: readonly PgBoss.JobWithMetadata['state'][]): Promise<boolean> {
    const rows = await this.#query(
      `SELECT 1 FROM ${queueSchema}.job
       WHERE name = $1 AND singleton_key = $2 AND state = ANY ($3::${queueSchema}.job_state[]) LIMIT 1`,
      [job, key, states],
    );
    return rows.length > 0;
  }

  /** Puts back jobs whose key belongs to another job that started earlier. Returns their ids. */
  async #standBack(taken: readonly TakenJob[]): Promise<Set<string>> {
    if (taken.length === 0) return new Set();
    const rows = await this.#query<{ id: string }>(
      `SELECT mine.id FROM ${queueSchema}.job AS mine JOIN ${queueSchema}.job AS other
         ON other.name = mine.name AND other.singleton_key = mine.singleton_key AND other.state = 'active'
         AND (other.started_on, other.id) < (mine.started_on, mine.id)
       WHERE mine.name = $1 AND other.name = $1 AND mine.id = ANY ($2::uuid[])`,
      [taken[0]?.job, taken.map(({ id }) => id)],
    );
    const standing = new Set(rows.map(({ id }) => id));
    if (standing.size > 0) {
      await this.#release(
        taken.filter(({ id }) => standing.has(id)),
        standBackSeconds,
      );
    }
    return standing;
  }

  /**
   * Sets the state to `retry`, because in the state `created` only one job per key may wait. Clearing the start time
   * means that no attempt is used up.
   */
  async #release(taken: readonly TakenJob[], pauseSeconds: number): Promise<void> {
    await this.#query(
      `UPDATE ${queueSchema}.job
       SET state = 'retry', started_on = NULL, start_after = now() + make_interval(secs => $1)
       FROM unnest($2::text[], $3::uuid[], $4::int[]) AS mine (name, id, retry_count)
       WHERE job.name = mine.name AND job.id = mine.id AND job.retry_count = mine.retry_count AND state = 'active'`,
      [pauseSeconds, ...columnsOf(taken)],
    );
  }

  async #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(text, values)).rows;
    } catch (error) {
      throw toProblem(error);
    }
  }
}

function columnsOf(taken: readonly TakenJob[]): [jobs: string[], ids: string[], retryCounts: number[]] {
  return [taken.map(({ job }) => job), taken.map(({ id }) => id), taken.map(({ attempt }) => attempt - 1)];
}
