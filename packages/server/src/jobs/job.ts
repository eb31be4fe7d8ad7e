import type { Engine } from '../engine/engine.js';
import type { StateAges } from '../engine/state/clean-up-state.js';
import type { HeadWitness } from '../ports/head-witness.js';
import type { JobPayload, Queue } from '../ports/queue.js';
import type { JobResult, RetryPolicy } from '../ports/work-queue.js';

/** Dependencies of every job. */
export interface JobContext {
  engine: Engine;
  queue: Queue;
  stateAges: StateAges;
  /**
   * Copies audit records that a killed process left behind to the outer store. Returns the number of chains, 0 without
   * an outer store.
   */
  copyLeftAudit(limit: number): Promise<number>;
  /** Where signed heads go, and how often an audit log with new records is signed; 0 for never. */
  signing: { witness: HeadWitness | null; everyMs: number };
}

/** A kind of background job. To add one, export it from its own file and list it in `jobs.ts`. */
export interface Job {
  /** kebab-case. Used in metrics, commands and stored jobs, so it must not change. */
  name: string;
  /** One sentence for operators. */
  summary: string;
  /**
   * Interval at which it runs automatically with an empty payload, once across all processes. At most a day. If absent,
   * it runs only when enqueued.
   */
  everySeconds?: number;
  /** How many of these jobs one process runs concurrently. */
  concurrency: number;
  retry: RetryPolicy;
  /**
   * Must be idempotent. Should reject soon after `signal` is aborted, which releases the job. Returns counts and ids,
   * which are stored.
   */
  run(context: JobContext, payload: JobPayload, signal: AbortSignal): Promise<JobResult>;
  /**
   * Records in its subject that the job does not run again because its processes died. Must be idempotent and must not
   * read content. If absent, nothing but the dead letter tells.
   */
  giveUp?(context: JobContext, payload: JobPayload): Promise<void>;
}
