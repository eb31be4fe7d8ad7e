/**
 * Identifies the subject of a job by ids; the handler reads the rest when it runs. Must never contain the content of a
 * memory, a document or a conversation: jobs are stored across tenants and outlive their subject.
 */
export type JobPayload = { readonly [name: string]: string };

export interface EnqueueOptions {
  /**
   * Avoids duplicates: no job is added while one with the same name and key waits for its turn or for another attempt.
   * A running job does not count, since it may already have read its data. Jobs with the same name and key do not run
   * concurrently. Two processes that act at the same moment can break either rule, so handlers must tolerate it.
   * Nor is a job added for an hour after one with the same name and key was given up because its processes died.
   */
  key?: string;
  /** Earliest start; immediately by default. */
  startAfter?: Date;
}

/**
 * Work that is done later, by this process or another one on the same database.
 *
 * Every job runs at least once: again after a failure, with growing pauses, and again if the process that ran it died,
 * then after and apart from other jobs and at most twice. Handlers must therefore be idempotent. Jobs of one name start roughly in the order they were added; there is no other
 * ordering guarantee. A job that failed its last attempt stays as a dead letter until an operator retries it.
 */
export interface Queue {
  /**
   * Durable when it resolves. It is not part of a transaction: add a job after committing the data it is about, and let
   * a scheduled job find the data that a crash in between left behind. Returns false if `key` made the job unnecessary.
   * Throws for a name that is not in the job table; rejects with UNAVAILABLE if the database does not respond.
   */
  enqueue(job: string, payload: JobPayload, options?: EnqueueOptions): Promise<boolean>;
}
