export interface LegalHold {
  name: string;
  /** null for every user of the tenant. */
  userIds: readonly string[] | null;
  reason: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Holds that forbid removing data of the transaction's tenant. Operator transactions; `Store.erase` transactions may
 * only read.
 */
export interface LegalHolds {
  get(name: string): Promise<LegalHold | undefined>;
  /** Ordered by name, starting after `after`. */
  list(page: { after?: string | undefined; limit: number }): Promise<LegalHold[]>;
  /**
   * Returns the names of the holds on a user, or with null of all holds, ordered by name. No hold changes until the
   * transaction ends: a concurrent `put` waits and resolves after this transaction's removals are done.
   */
  on(userId: string | null): Promise<string[]>;
  /** Waits for transactions that rely on `on`. Call it before `put` and `delete`. Queued. */
  lock(): void;
  /** Inserts or replaces. Queued. */
  put(hold: LegalHold): void;
  /** Queued; does nothing if it does not exist. */
  delete(name: string): void;
}
