import type { Json } from '@memhall/core';
import type { JobPayload, Queue } from './queue.js';

/** How often a job is tried, and how long to wait in between. */
export interface RetryPolicy {
  /** All in all, the first one included. */
  attempts: number;
  /** Before the second attempt; about twice as long before each further one, with some chance in it. */
  firstPauseSeconds: number;
}

export interface TakenJob {
  id: string;
  job: string;
  payload: JobPayload;
  /** 1 for the first. */
  attempt: number;
  /** Whether a failure now makes it a dead letter. */
  lastAttempt: boolean;
}

/** Counts and ids, kept for operators; no content. */
export type JobResult = { readonly [name: string]: Json };

/** Why an attempt failed, without any text that could quote data. */
export interface JobFailure {
  type: string;
  code?: string;
}

/**
 * The queue as those see it who do the work. A taken job belongs to its taker for `leaseSeconds`, counted from `take` or the
 * last `keep`; then it counts as a failed attempt and anybody may take it. Every method rejects with UNAVAILABLE when the
 * database does not answer, except `take`, which then answers nothing.
 */
export interface WorkQueue extends Queue {
  readonly leaseSeconds: number;
  /** Calls back whenever this process has added a job that may start now. */
  onEnqueued(listener: () => void): void;
  /** Which of these jobs have something to do, and what time it is for all processes. */
  look(jobs: readonly string[]): Promise<{ due: string[]; now: Date }>;
  /** Up to `limit` jobs that are due, oldest first; none of them can be taken by anybody else. */
  take(job: string, limit: number): Promise<TakenJob[]>;
  /** Prolongs the lease. Answers the ids of those that still belong to the taker. */
  keep(taken: readonly TakenJob[]): Promise<Set<string>>;
  complete(taken: TakenJob, result: JobResult): Promise<void>;
  /** Waits for another attempt, or is a dead letter from now on: the only one of its key, since it stands for earlier ones. */
  fail(taken: TakenJob, failure: JobFailure): Promise<void>;
  /** Gives jobs back as if they had not been taken. */
  release(taken: readonly TakenJob[]): Promise<void>;
  /** Gives back every job that anybody has taken: for when nobody can be at work. */
  releaseAll(): Promise<void>;
  /**
   * Adds the job of the present period, once among all processes. `busy`: the one of an earlier period waits or runs still,
   * ask again; `done`: this period has its job.
   */
  schedule(job: string, everySeconds: number): Promise<'added' | 'busy' | 'done'>;
  /** Takes jobs away from takers whose lease is over, and removes what was finished long ago. */
  maintain(): Promise<void>;
}
