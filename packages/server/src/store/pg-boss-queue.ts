import { randomUUID } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import type PgBoss from 'pg-boss';
import type { EnqueueOptions, JobPayload } from '../ports/queue.js';
import {
  type JobFailure,
  type JobResult,
  maxDeaths,
  type RetryPolicy,
  type TakenJob,
  type WorkQueue,
} from '../ports/work-queue.js';
import { openBoss, queueSchema } from './queue-schema.js';
import { toProblem } from './to-problem.js';

/** Waiting jobs practically never expire: nothing would add a dropped job again. */
const keepWaitingDays = 3650;
/** How long a job is put back while another one with the same key is running. */
const standBackSeconds = 2;
/** How often finished jobs are removed, and when first; expired leases are handled on every call. */
const clearEveryMs = 3_600_000;
const clearFirstAfterMs = 10_000;
/** How long no job is added for a key whose last job was buried. */
const restAfterBurialSeconds = 3600;
const died = { type: 'ProcessDied' };
const scheduleKey = 'schedule';

type JobState = PgBoss.JobWithMetadata['state'];

/**
 * pg-boss adds, retries and removes jobs. It has no leases, suspects and keys of this kind, so those are statements on its
 * tables. The priority of a job is minus the number of processes that died while they ran it.
 */
export class PgBossQueue implements WorkQueue {
  readonly leaseSeconds: number;
  readonly #pool: Pool;
  readonly #boss: PgBoss;
  readonly #policies: ReadonlyMap<string, RetryPolicy>;
  readonly #listeners: (() => void)[] = [];
  #clearedAtMs = Date.now() - clearEveryMs + clearFirstAfterMs;

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
    if (key !== undefined && (await this.#barrier(job, key, ['created', 'retry'])) !== undefined) return false;
    const id = await this.#boss.send(job, payload, {
      ...options,
      singletonKey: key ?? randomUUID(),
      ...(startAfter === undefined ? {} : { startAfter }),
    });
    if (id !== null) for (const listener of this.#listeners) listener();
    return id !== null;
  }

  async look(jobs: readonly string[]): Promise<{ due: string[]; suspects: boolean; now: Date }> {
    const [row] = await this.#query<{ now: Date; due: string[]; suspects: boolean }>(
      `SELECT now() AS now, coalesce(array_agg(name) FILTER (WHERE NOT suspect), '{}') AS due,
              coalesce(bool_or(suspect), false) AS suspects
       FROM (SELECT DISTINCT name, priority < 0 AS suspect FROM ${queueSchema}.job
             WHERE name = ANY ($1) AND state < 'active' AND start_after <= now()) AS waiting`,
      [jobs],
    );
    return row ?? { due: [], suspects: false, now: new Date(0) };
  }

  async take(job: string, limit: number): Promise<TakenJob[]> {
    const taken = await this.#take([job], { suspects: false, limit });
    const standing = await this.#standBack(taken);
    return taken.filter(({ id }) => !standing.has(id));
  }

  async takeSuspect(jobs: readonly string[]): Promise<TakenJob | undefined> {
    const taken = await this.#take(jobs, { suspects: true, limit: 1 });
    return (await this.#standBack(taken)).size > 0 ? undefined : taken[0];
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
    if (lastAttempt) await this.#replaceDeadLetters(job, id);
  }

  async bury(taken: TakenJob): Promise<void> {
    // Taking it to be buried was no attempt.
    await this.#query(
      `UPDATE ${queueSchema}.job
       SET state = 'failed', completed_on = now(), retry_count = job.retry_count - 1, output = $4
       FROM unnest($1::text[], $2::uuid[], $3::int[]) AS mine (name, id, retry_count)
       WHERE job.name = mine.name AND job.id = mine.id AND job.retry_count = mine.retry_count AND state = 'active'`,
      [...columnsOf([taken]), died],
    );
    await this.#replaceDeadLetters(taken.job, taken.id);
  }

  async #replaceDeadLetters(job: string, id: string): Promise<void> {
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

  async suspectAll(takenBefore: Date): Promise<void> {
    await this.#suspect('started_on < $2', [takenBefore]);
  }

  async schedule(job: string, everySeconds: number): Promise<'added' | 'busy' | 'done'> {
    const options = this.#sendOptions(job);
    const barrier = await this.#barrier(job, scheduleKey, ['created', 'retry', 'active']);
    if (barrier !== undefined) return barrier === 'failed' ? 'done' : 'busy';
    const period = { singletonKey: scheduleKey, singletonSeconds: everySeconds };
    return (await this.#boss.send(job, {}, { ...options, ...period })) === null ? 'done' : 'added';
  }

  async maintain(): Promise<void> {
    await this.#suspect('started_on + expire_in < now()');
    if (Date.now() - this.#clearedAtMs < clearEveryMs) return;
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

  /** Returns the state of a job that keeps others of its key from being added: a waiting one, or one buried recently. */
  async #barrier(job: string, key: string, states: readonly JobState[]): Promise<JobState | undefined> {
    const [row] = await this.#query<{ state: JobState }>(
      `SELECT state FROM ${queueSchema}.job
       WHERE name = $1 AND singleton_key = $2 AND (state = ANY ($3::${queueSchema}.job_state[])
         OR (state = 'failed' AND output = $4 AND completed_on > now() - make_interval(secs => $5)))
       ORDER BY state LIMIT 1`,
      [job, key, states, died, restAfterBurialSeconds],
    );
    return row?.state;
  }

  async #take(jobs: readonly string[], { suspects, limit }: { suspects: boolean; limit: number }): Promise<TakenJob[]> {
    const rows = await this.#query<TakenRow>(
      `WITH next AS (
         SELECT name, id FROM ${queueSchema}.job
         WHERE name = ANY ($1) AND state < 'active' AND start_after <= now() AND (priority < 0) = $2
         ORDER BY priority DESC, created_on, id LIMIT $3 FOR UPDATE SKIP LOCKED)
       UPDATE ${queueSchema}.job SET state = 'active', started_on = now(),
         retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END
       FROM next WHERE job.name = next.name AND job.id = next.id
       RETURNING job.name, job.id, data, priority, retry_count, retry_limit, created_on`,
      [jobs, suspects, limit],
    );
    return rows.sort((one, other) => one.created_on.getTime() - other.created_on.getTime()).map(toTaken);
  }

  /** Keeps the start time, so that the attempt counts. */
  async #suspect(which: string, values: unknown[] = []): Promise<void> {
    await this.#query(
      `UPDATE ${queueSchema}.job SET state = 'retry', priority = priority - 1, start_after = now(), output = $1
       WHERE state = 'active' AND ${which}`,
      [died, ...values],
    );
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

interface TakenRow {
  name: string;
  id: string;
  data: JobPayload;
  priority: number;
  retry_count: number;
  retry_limit: number;
  created_on: Date;
}

function toTaken(row: TakenRow): TakenJob {
  const deaths = Math.max(0, -row.priority);
  return {
    id: row.id,
    job: row.name,
    payload: row.data,
    attempt: row.retry_count + 1,
    lastAttempt: row.retry_count >= row.retry_limit,
    deaths,
    isSpent: deaths >= maxDeaths || row.retry_count > row.retry_limit,
  };
}

function columnsOf(taken: readonly TakenJob[]): [jobs: string[], ids: string[], retryCounts: number[]] {
  return [taken.map(({ job }) => job), taken.map(({ id }) => id), taken.map(({ attempt }) => attempt - 1)];
}
