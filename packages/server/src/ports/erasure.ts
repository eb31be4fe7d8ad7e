/** How many of each kind, by the kind's name, such as `documents`. Every kind is there, also with none. */
export type Counts = Readonly<Record<string, number>>;

/** Removal of all that is kept of a user or a tenant, but for receipts. Transactions of `Store.erase` only, save `count`. */
export interface Erasure {
  /**
   * Whatever is kept of the transaction's user, what it wrote into the tenant's public memories and into namespaces
   * included; its audit chain as well. Waits until nobody changes those memories.
   */
  removeUser(): Promise<Counts>;
  /** Whatever is kept of the transaction's tenant and of any user of it, all its audit chains included. */
  removeTenant(): Promise<Counts>;
  /**
   * What is kept of a user (null: of the tenant and all its users), apart by whether it was made before a moment or not.
   * Operators' transactions too.
   */
  count(userId: string | null, moment: Date): Promise<{ before: Counts; since: Counts }>;
}
