import type { Json } from '@memhall/core';
import type { Pool, QueryResultRow } from 'pg';
import type { JobBacklog, JobLedger, JobRecord, JobState } from '../ports/job-ledger.js';
import type { JobPayload } from '../ports/queue.js';
import { queueSchema } from './queue-schema.js';
import { toProblem } from './to-problem.js';

const statesOf: Record<JobState, string> = {
  waiting: 'created',
  retrying: 'retry',
  running: 'active',
  done: 'completed',
  failed: 'failed',
};

interface Row {
  id: string;
  name: string;
  state: string;
  key: string | null;
  data: JobPayload;
  retry_count: number;
  retry_limit: number;
  created_on: Date;
  start_after: Date;
  started_on: Date | null;
  completed_on: Date | null;
  output: Json;
  place: string;
}

/**
 * Uses its own statements because pg-boss cannot list jobs, and its retry leaves a mark by which its clean-up may
 * remove the job.
 */
export class PgBossLedger implements JobLedger {
  readonly #pool: Pool;
  readonly #jobs: readonly string[];

  constructor(pool: Pool, jobs: readonly string[]) {
    this.#pool = pool;
    this.#jobs = jobs;
  }

  async list(filter: Parameters<JobLedger['list']>[0]): Promise<JobRecord[]> {
    const rows = await this.#query<Row>(
      `SELECT id, name, state, singleton_key AS key, data, retry_count, retry_limit,
              created_on, start_after, started_on, completed_on, output, created_on::text AS place
       FROM ${queueSchema}.job
       WHERE name = ANY ($1) AND ($2::text IS NULL OR state::text = $2) AND ($3::text IS NULL OR name = $3)
         AND ($5::text[] IS NULL OR id::text = ANY ($5))
         AND ($6::timestamptz IS NULL OR (created_on, id) < ($6, $7::uuid))
       ORDER BY created_on DESC, id DESC LIMIT $4`,
      [
        this.#jobs,
        filter.state === undefined ? null : statesOf[filter.state],
        filter.job ?? null,
        filter.limit,
        filter.ids ?? null,
        filter.after?.[0] ?? null,
        filter.after?.[1] ?? null,
      ],
    );
    return rows.map(toRecord);
  }

  async retry(ids: readonly string[] | 'all'): Promise<number> {
    const rows = await this.#query(
      `UPDATE ${queueSchema}.job
       SET state = 'retry', retry_count = 0, priority = greatest(priority, -1),
           started_on = NULL, completed_on = NULL, created_on = now(), start_after = now()
       WHERE name = ANY ($1) AND state = 'failed' AND ($2::text[] IS NULL OR id::text = ANY ($2)) RETURNING id`,
      [this.#jobs, ids === 'all' ? null : ids],
    );
    return rows.length;
  }

  async backlog(): Promise<JobBacklog[]> {
    const rows = await this.#query<{ name: string; waiting: number; oldest: number | null; failed: number }>(
      `SELECT name, count(*) FILTER (WHERE state < 'active')::int AS waiting,
              count(*) FILTER (WHERE state = 'failed')::int AS failed,
              max(extract(epoch FROM now() - CASE state WHEN 'retry' THEN created_on ELSE start_after END))
                FILTER (WHERE state < 'active')::float8 AS oldest
       FROM ${queueSchema}.job WHERE name = ANY ($1) AND state IN ('created', 'retry', 'failed') GROUP BY name`,
      [this.#jobs],
    );
    const found = new Map(rows.map((row) => [row.name, row]));
    return this.#jobs.map((job) => {
      const row = found.get(job);
      return {
        job,
        waiting: row?.waiting ?? 0,
        oldestSeconds: Math.max(0, row?.oldest ?? 0),
        deadLetters: row?.failed ?? 0,
      };
    });
  }

  async #query<Found extends QueryResultRow>(text: string, values: unknown[]): Promise<Found[]> {
    try {
      return (await this.#pool.query<Found>(text, values)).rows;
    } catch (error) {
      throw toProblem(error);
    }
  }
}

function toRecord(row: Row): JobRecord {
  const states = Object.entries(statesOf) as [JobState, string][];
  const started = row.started_on === null ? row.retry_count : row.retry_count + 1;
  return {
    id: row.id,
    job: row.name,
    state: states.find(([, name]) => name === row.state)?.[0] ?? 'failed',
    key: row.key,
    payload: row.data,
    attempts: started,
    maxAttempts: row.retry_limit + 1,
    createdAt: row.created_on,
    startAfter: row.start_after,
    startedAt: row.started_on,
    finishedAt: row.completed_on,
    output: row.output,
    position: [row.place, row.id],
  };
}
