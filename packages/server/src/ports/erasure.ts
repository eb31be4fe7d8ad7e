/** Number of entries by kind, such as `documents`. Contains every kind, even those with none. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Removes everything stored about a user or a tenant, except receipts. `Store.erase` transactions only, except `count`.
 */
export interface Erasure {
  /**
   * Removes all data of the transaction's user, including its audit chain and everything it wrote to the tenant's
   * public memories and to namespaces. Waits until nobody else changes those memories.
   */
  removeUser(): Promise<Counts>;
  /** Removes all data of the transaction's tenant and of all its users, including all audit chains. */
  removeTenant(): Promise<Counts>;
  /**
   * Counts the data of a user (null: of the tenant and all its users), split into entries created before a time and
   * since then. Operator transactions, too.
   */
  count(userId: string | null, moment: Date): Promise<{ before: Counts; since: Counts }>;
}
