import type { Json } from '@memhall/core';

export interface Namespace {
  name: string;
  kind: string;
  /** From this time on, it and its memories do not exist. */
  expiresAt: Date | null;
  metadata: { [key: string]: Json } | null;
  createdAt: Date;
}

/** Namespaces the transaction may use. */
export interface Namespaces {
  /** Includes expired namespaces. */
  get(name: string): Promise<Namespace | undefined>;
  /** Ordered by name, including expired namespaces; unknown names are skipped. */
  getMany(names: readonly string[]): Promise<Namespace[]>;
  /**
   * Returns the next name after `after`, in byte order, among the tenant's namespaces that have not expired. Operator
   * transactions only.
   */
  next(after: string, now: Date): Promise<string | undefined>;
  /** Inserts or replaces. Queued. */
  put(namespace: Namespace): void;
  /** Deletes its memories as well. Queued; does nothing if it does not exist. */
  delete(name: string): void;
  /**
   * Returns the names of the tenant's expired namespaces, those that expired first at the front. Operator transactions
   * only.
   */
  expired(limit: number, now: Date): Promise<string[]>;
}
