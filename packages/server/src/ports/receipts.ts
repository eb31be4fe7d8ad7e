import type { Counts } from './erasure.js';

/** Proof that something was erased. */
export interface Receipt {
  id: string;
  /** null for the whole tenant. */
  userId: string | null;
  startedAt: Date;
  /** null while in progress. */
  finishedAt: Date | null;
  /** Removed entries; while in progress, those removed so far. */
  counts: Counts;
  /** SHA-256 of the fields above, in hexadecimal; null while in progress. */
  hash: string | null;
}

/**
 * The receipts of the transaction's tenant. They are never removed. Operators read them; `Store.erase` transactions
 * write them.
 */
export interface Receipts {
  get(id: string): Promise<Receipt | undefined>;
  /**
   * Returns the users whose data was erased, or whose erasure began, after this time; null stands for the whole tenant.
   */
  erasedSince(moment: Date): Promise<(string | null)[]>;
  /** Returns the tenant's erasure in progress and prevents others from changing it until this transaction ends. */
  unfinished(): Promise<Receipt | undefined>;
  /**
   * Inserts or replaces. From then on, writes of the user (of everyone, if there is no user) are rejected: all of them
   * while the erasure is in progress, and permanently those whose request arrived before it finished. Queued.
   */
  put(receipt: Receipt): void;
  /**
   * Makes the transaction fail with CONFLICT if the person with this key of the tier `peers` was erased after the transaction's
   * `since`. For writes about that person, and for writes by that person to data of others. No erasure of that person takes effect until the transaction ends. Queued. Request transactions only.
   */
  refuseIfErased(peer: string): void;
  /**
   * Returns the latest receipt of the person with this key of the tier `peers` that took effect at this time or later. Operator
   * transactions only.
   */
  latestOfPeer(peer: string, since: Date): Promise<string | undefined>;
  /** Appends to the tenant's own audit chain, even in a user's transaction. Queued. */
  record(record: string): void;
}
