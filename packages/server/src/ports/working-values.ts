import type { Json } from '@memhall/core';

export interface WorkingValue {
  planId: string;
  key: string;
  value: Json;
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null;
}

/** Working memory of the transaction's user. A value whose expiry is at or before `now` does not exist. */
export interface WorkingValues {
  get(planId: string, key: string, now: Date): Promise<WorkingValue | undefined>;
  /** Ordered by key (code units), keys greater than `after` only. */
  list(planId: string, page: { after: string | undefined; limit: number; now: Date }): Promise<WorkingValue[]>;
  /** Inserts or replaces. Queued: a failure fails the transaction when it commits. */
  put(value: WorkingValue): void;
  /** Queued; removing what is not there is no failure. */
  delete(planId: string, key: string): void;
  /** Removes every value of the plan and answers how many of them had not expired. */
  deletePlan(planId: string, now: Date): Promise<number>;
  /** Users of the tenant who have expired values, in order. Operators' transactions only. */
  expiredOwners(now: Date): Promise<string[]>;
  /** Removes expired values, at most `limit`, and answers which. */
  deleteExpired(now: Date, limit: number): Promise<{ planId: string; key: string }[]>;
  /** Users of the tenant who have values of plans that finished before a moment, in order. Operators' transactions only. */
  finishedOwners(before: Date): Promise<string[]>;
  /** Removes all values of plans that finished before a moment, of at most `limit` plans, and answers whose. */
  deleteFinished(before: Date, limit: number): Promise<string[]>;
}
