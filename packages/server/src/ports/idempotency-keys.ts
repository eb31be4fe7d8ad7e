import type { Json } from '@memhall/core';

export interface IdempotencyRecord {
  key: string;
  /** SHA-256 of what was asked. */
  payloadHash: string;
  /** What has to be known to give the first answer again. */
  result: { [key: string]: Json };
  createdAt: Date;
}

/** Requests of the transaction's user that were carried out, by the key the caller gave them. */
export interface IdempotencyKeys {
  /** Younger than `since` only. */
  get(key: string, since: Date): Promise<IdempotencyRecord | undefined>;
  /** Replaces one of the same key that is too old to count. Queued. */
  put(record: IdempotencyRecord): void;
  /** Removes up to `limit` of the tenant's records made before the moment and answers how many. Operators' transactions only. */
  deleteBefore(moment: Date, limit: number): Promise<number>;
}
