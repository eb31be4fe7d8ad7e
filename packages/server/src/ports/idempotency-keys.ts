import type { Json } from '@memhall/core';

export interface IdempotencyRecord {
  key: string;
  /** SHA-256 of the request. */
  payloadHash: string;
  /** The data needed to repeat the first response. */
  result: { [key: string]: Json };
  createdAt: Date;
}

/** Completed requests of the transaction's user, by the key the caller gave them. */
export interface IdempotencyKeys {
  /** Ignores records that are not younger than `since`. */
  get(key: string, since: Date): Promise<IdempotencyRecord | undefined>;
  /** Replaces an expired record with the same key. Queued. */
  put(record: IdempotencyRecord): void;
  /**
   * Removes up to `limit` of the tenant's records created before the time. Returns how many. Operator transactions
   * only.
   */
  deleteBefore(moment: Date, limit: number): Promise<number>;
}
