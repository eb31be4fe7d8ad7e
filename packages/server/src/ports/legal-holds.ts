export interface LegalHold {
  name: string;
  /** null: every user of the tenant. */
  userIds: readonly string[] | null;
  reason: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What must not be removed from the transaction's tenant. Operators' transactions; those of `Store.erase` read. */
export interface LegalHolds {
  get(name: string): Promise<LegalHold | undefined>;
  /** By name, later than `after`. */
  list(page: { after?: string | undefined; limit: number }): Promise<LegalHold[]>;
  /**
   * Names of the holds on a user, or with null of all there are, by name. Until the transaction ends no hold changes: one that
   * is put meanwhile waits, and is answered after what this transaction removes is gone.
   */
  on(userId: string | null): Promise<string[]>;
  /** Waits for transactions that rely on `on`. Before `put` and `delete`. Queued. */
  lock(): void;
  /** Inserts or replaces. Queued. */
  put(hold: LegalHold): void;
  /** Queued; leaves out what is not there. */
  delete(name: string): void;
}
