import type { Json } from '@memhall/core';
import type { JobPayload, Queue } from './queue.js';

/** How often a job is tried, and how long to wait in between. */
export interface RetryPolicy {
  /** Total, including the first one. */
  attempts: number;
  /** Before the second attempt; roughly doubled before each further one, with some randomness. */
  firstPauseSeconds: number;
}

export interface TakenJob {
  id: string;
  job: string;
  payload: JobPayload;
  /** 1 for the first. */
  attempt: number;
  /** Whether a failure of this attempt makes it a dead letter. */
  lastAttempt: boolean;
}

/** Counts and ids, stored for operators; no content. */
export type JobResult = { readonly [name: string]: Json };

/** Why an attempt failed, without any text that could quote data. */
export interface JobFailure {
  type: string;
  code?: string;
}

/**
 * The workers' view of the queue. A taken job belongs to its worker for `leaseSeconds`, counted from `take` or the last
 * `keep`; after that it counts as a failed attempt and anyone may take it. Every method rejects with UNAVAILABLE if the
 * database does not respond, except `take`, which then returns no jobs.
 */
export interface WorkQueue extends Queue {
  readonly leaseSeconds: number;
  /** Calls back whenever this process has added a job that may start now. */
  onEnqueued(listener: () => void): void;
  /** Returns which of these jobs have work due, and the current time that all processes share. */
  look(jobs: readonly string[]): Promise<{ due: string[]; now: Date }>;
  /** Takes up to `limit` due jobs, oldest first. No other process can take them. */
  take(job: string, limit: number): Promise<TakenJob[]>;
  /** Extends the lease. Returns the ids of the jobs that still belong to the worker. */
  keep(taken: readonly TakenJob[]): Promise<Set<string>>;
  complete(taken: TakenJob, result: JobResult): Promise<void>;
  /**
   * Schedules another attempt, or makes the job a dead letter. It then replaces earlier dead letters of the same key.
   */
  fail(taken: TakenJob, failure: JobFailure): Promise<void>;
  /** Returns jobs to the queue as if they had not been taken. */
  release(taken: readonly TakenJob[]): Promise<void>;
  /** Returns every taken job to the queue. Only for when no worker can be running. */
  releaseAll(): Promise<void>;
  /**
   * Adds the job of the current period, once among all processes. `busy`: the job of an earlier period is still waiting
   * or running, so ask again; `done`: this period has its job.
   */
  schedule(job: string, everySeconds: number): Promise<'added' | 'busy' | 'done'>;
  /** Takes jobs away from workers whose lease has expired, and removes jobs that finished long ago. */
  maintain(): Promise<void>;
}
