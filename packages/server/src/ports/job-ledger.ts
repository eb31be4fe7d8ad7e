import type { Json } from '@memhall/core';
import type { JobPayload } from './queue.js';

/** `retrying`: failed, and waits for another attempt. `failed`: a dead letter. */
export const jobStates = ['waiting', 'retrying', 'running', 'done', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

export interface JobRecord {
  id: string;
  job: string;
  state: JobState;
  key: string | null;
  payload: JobPayload;
  /** Those begun so far. */
  attempts: number;
  maxAttempts: number;
  /** When it was added, or last retried by an operator. */
  createdAt: Date;
  /** When it may start, or start again. */
  startAfter: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The result of a job that is done, or why the last attempt failed. */
  output: Json;
}

export interface JobBacklog {
  job: string;
  /** Not running, due or not. */
  waiting: number;
  /** For how long the oldest of those could have been done already; 0 where none could. */
  oldestSeconds: number;
  deadLetters: number;
}

/** What operators see and do. Methods reject with UNAVAILABLE when the database does not answer. */
export interface JobLedger {
  /** Newest first. What is done stays for a day, what failed for thirty. */
  list(filter: { state?: JobState | undefined; job?: string | undefined; limit: number }): Promise<JobRecord[]>;
  /** Gives dead letters all their attempts again, from now: those with these ids, or all. Answers how many those were. */
  retry(ids: readonly string[] | 'all'): Promise<number>;
  /** One entry for each job of the table, in its order. */
  backlog(): Promise<JobBacklog[]>;
}
