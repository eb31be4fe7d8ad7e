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
  /** How many processes died while they ran it. A job with any is a suspect. */
  deaths: number;
  /** Whether it has died too often or used up its attempts by dying: it must not run again, only be buried. */
  isSpent: boolean;
}

/** A job that was running when this many processes died does not run again. */
export const maxDeaths = 3;

/** Counts and ids, stored for operators; no content. */
export type JobResult = { readonly [name: string]: Json };

/** Why an attempt failed, without any text that could quote data. */
export interface JobFailure {
  type: string;
  code?: string;
}

/**
 * The workers' view of the queue. A taken job belongs to its worker for `leaseSeconds`, counted from when it was taken or
 * the last `keep`. After that its process counts as dead: the attempt is used up, and the job becomes a suspect, which
 * anyone may take, but only with `takeSuspect`. Every method rejects with UNAVAILABLE if the database does not respond.
 */
export interface WorkQueue extends Queue {
  readonly leaseSeconds: number;
  /** Calls back whenever this process has added a job that may start now. */
  onEnqueued(listener: () => void): void;
  /**
   * Returns which of these jobs have work due, whether any of them has a suspect due, and the current time that all
   * processes share. Suspects do not count as work due.
   */
  look(jobs: readonly string[]): Promise<{ due: string[]; suspects: boolean; now: Date }>;
  /** Takes up to `limit` due jobs that are no suspects, oldest first. No other process can take them. */
  take(job: string, limit: number): Promise<TakenJob[]>;
  /** Takes the due suspect with the fewest deaths; the oldest of them. Undefined if there is none. */
  takeSuspect(jobs: readonly string[]): Promise<TakenJob | undefined>;
  /** Extends the lease. Returns the ids of the jobs that still belong to the worker. */
  keep(taken: readonly TakenJob[]): Promise<Set<string>>;
  complete(taken: TakenJob, result: JobResult): Promise<void>;
  /**
   * Schedules another attempt, or makes the job a dead letter. It then replaces earlier dead letters of the same key.
   */
  fail(taken: TakenJob, failure: JobFailure): Promise<void>;
  /**
   * Makes a spent job a dead letter, which replaces earlier ones of the same key. For an hour, no job of this key is
   * added.
   */
  bury(taken: TakenJob): Promise<void>;
  /** Returns jobs to the queue as if they had not been taken. */
  release(taken: readonly TakenJob[]): Promise<void>;
  /** Makes every job that was taken before this time a suspect. Only for when their workers cannot be running. */
  suspectAll(takenBefore: Date): Promise<void>;
  /**
   * Adds the job of the current period, once among all processes. `busy`: the job of an earlier period is still waiting
   * or running, so ask again; `done`: this period has its job, or one was buried within the last hour.
   */
  schedule(job: string, everySeconds: number): Promise<'added' | 'busy' | 'done'>;
  /** Takes jobs whose lease has expired away from their workers, and removes jobs that finished long ago. */
  maintain(): Promise<void>;
}
