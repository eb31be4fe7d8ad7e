/**
 * What a job is about, as ids: the handler reads the rest when it runs. Never content of a memory, a document or a
 * conversation: jobs are kept across tenants, and outlive what they are about.
 */
export type JobPayload = { readonly [name: string]: string };

export interface EnqueueOptions {
  /**
   * Keeps a job single: while one of the same name and key waits, for its turn or for another attempt, no further one is
   * added. One that is running does not count, since it may have looked already. Jobs of one name and key are not run at the
   * same time. Two processes that act in the same moment can get past either rule, so handlers must bear it.
   */
  key?: string;
  /** Not before this moment; at once by default. */
  startAfter?: Date;
}

/**
 * Work that is done later, by this process or another on the same database.
 *
 * Every job is run at least once: again after a failure, with growing pauses, and again when the process that ran it died.
 * Handlers must therefore be idempotent. Jobs of one name start about in the order they were added; nothing more is
 * promised about order. A job that failed its last attempt is kept as a dead letter until an operator retries it.
 */
export interface Queue {
  /**
   * Durable when it resolves; it is no part of a transaction, so add a job after what it is about is committed, and have a
   * scheduled job find what a crash in between left out. Answers false where `key` made it needless. Throws for a name
   * that is in no table of jobs; rejects with UNAVAILABLE when the database does not answer.
   */
  enqueue(job: string, payload: JobPayload, options?: EnqueueOptions): Promise<boolean>;
}
