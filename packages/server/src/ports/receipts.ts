import type { Counts } from './erasure.js';

/** That something was erased. */
export interface Receipt {
  id: string;
  /** null: the whole tenant. */
  userId: string | null;
  startedAt: Date;
  /** null: under way. */
  finishedAt: Date | null;
  /** What went; while under way, so far. */
  counts: Counts;
  /** SHA-256 over the above, hexadecimal; null while under way. */
  hash: string | null;
}

/** The receipts of the transaction's tenant. They are never removed. Operators read, transactions of `Store.erase` write. */
export interface Receipts {
  get(id: string): Promise<Receipt | undefined>;
  /** Whose data was erased, or began to be, after this moment; null: the whole tenant's. */
  erasedSince(moment: Date): Promise<(string | null)[]>;
  /** The erasure of the tenant that is under way, and keeps others from changing it until this transaction ends. */
  unfinished(): Promise<Receipt | undefined>;
  /**
   * Inserts or replaces. Writes of the user (of anybody, where there is none) are refused from then on: all of them while it
   * is under way, and those that came in before it was finished for ever. Queued.
   */
  put(receipt: Receipt): void;
  /** Appends to the tenant's own audit chain, whoever's transaction this is. Queued. */
  record(record: string): void;
}
