import type { Engine } from '../engine/engine.js';
import type { StateAges } from '../engine/state/clean-up-state.js';
import type { JobPayload, Queue } from '../ports/queue.js';
import type { JobResult, RetryPolicy } from '../ports/work-queue.js';

/** What every job works with. */
export interface JobContext {
  engine: Engine;
  queue: Queue;
  stateAges: StateAges;
  /** Copies audit records to the outer store that a process left behind when it died. Returns the number of chains; 0 without an outer store. */
  copyLeftAudit(limit: number): Promise<number>;
}

/** One kind of work in the background. To add one: a file that exports it, and a line in `jobs.ts`. */
export interface Job {
  /** kebab-case; part of the wire: metrics, commands and what waits in the database go by it. */
  name: string;
  /** For operators, one sentence. */
  summary: string;
  /** How often it runs by itself, once among all processes, with an empty payload; at most a day. Absent: when enqueued. */
  everySeconds?: number;
  /** How many one process runs at the same time. */
  concurrency: number;
  retry: RetryPolicy;
  /**
   * Must be idempotent, and should end soon after `signal` is aborted: by rejecting, which gives the job back. Answers
   * counts and ids; they are kept.
   */
  run(context: JobContext, payload: JobPayload, signal: AbortSignal): Promise<JobResult>;
}
