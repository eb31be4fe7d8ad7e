import type { Json } from '@memhall/core';
import type { JobPayload } from './queue.js';

/** `retrying`: failed and waiting for another attempt. `failed`: a dead letter. */
export const jobStates = ['waiting', 'retrying', 'running', 'done', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

export interface JobRecord {
  id: string;
  job: string;
  state: JobState;
  key: string | null;
  payload: JobPayload;
  /** Attempts started so far. */
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
  position: JobPosition;
}

/** The place of a job in the list: when it was added, as the database writes it, and its id. */
type JobPosition = readonly [createdAt: string, id: string];

export interface JobBacklog {
  job: string;
  /** Not running, whether due or not. */
  waiting: number;
  /** How long the oldest of them has been due; 0 if none is due. */
  oldestSeconds: number;
  deadLetters: number;
}

/** The operators' view of the queue. Methods reject with UNAVAILABLE if the database does not respond. */
export interface JobLedger {
  /** Newest first, after the position of a job. Done jobs are kept for a day, failed ones for thirty. */
  list(filter: {
    state?: JobState | undefined;
    job?: string | undefined;
    ids?: readonly string[] | undefined;
    after?: JobPosition | undefined;
    limit: number;
  }): Promise<JobRecord[]>;
  /**
   * Gives dead letters all their attempts again, starting now: the given ids, or all. Those that were buried stay
   * suspects, which run after and apart from other jobs. Returns how many jobs that affected.
   */
  retry(ids: readonly string[] | 'all'): Promise<number>;
  /** One entry per job of the table, in its order. */
  backlog(): Promise<JobBacklog[]>;
}
