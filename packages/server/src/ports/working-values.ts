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
  /** Those whose key begins with `prefix`, ordered by key (code units), starting after `after`. */
  list(
    planId: string,
    page: { prefix: string; after: string | undefined; limit: number; now: Date },
  ): Promise<WorkingValue[]>;
  /** Inserts or replaces. Queued: a failure fails the transaction at commit. */
  put(value: WorkingValue): void;
  /** Queued; does nothing if it does not exist. */
  delete(planId: string, key: string): void;
  /** Removes every value of the plan. Returns how many of them had not expired. */
  deletePlan(planId: string, now: Date): Promise<number>;
  /** Returns the users of the tenant that have expired values, in order. Operator transactions only. */
  expiredOwners(now: Date): Promise<string[]>;
  /** Removes at most `limit` expired values. Returns their keys. */
  deleteExpired(now: Date, limit: number): Promise<{ planId: string; key: string }[]>;
  /**
   * Returns the users of the tenant that have values of plans that finished before a time, in order. Operator
   * transactions only.
   */
  finishedOwners(before: Date): Promise<string[]>;
  /** Removes all values of at most `limit` plans that finished before a time. Returns the ids of those plans. */
  deleteFinished(before: Date, limit: number): Promise<string[]>;
}
