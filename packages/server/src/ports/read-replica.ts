import type { Scope, Tables } from './store.js';

/** A standby of the database: a copy that follows it within milliseconds, and that cannot be written to. */
export interface ReadReplica {
  /**
   * Reads on the standby once it has everything that was acknowledged before `freshAtMs` (by `performance.now()`), by any process.
   * Returns undefined if it is further behind than it is worth waiting for. Rejects if the standby fails, or as `work` does; `work` may then
   * have run in part.
   */
  read<T>(scope: Scope, freshAtMs: number, work: (tables: Tables) => Promise<T>): Promise<{ result: T } | undefined>;
  close(): Promise<void>;
}
