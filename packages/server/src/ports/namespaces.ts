import type { Json } from '@memhall/core';

export interface Namespace {
  name: string;
  kind: string;
  /** From then on it and its memories are not there. */
  expiresAt: Date | null;
  metadata: { [key: string]: Json } | null;
  createdAt: Date;
}

/** Namespaces the transaction may use. */
export interface Namespaces {
  /** Whether expired or not. */
  get(name: string): Promise<Namespace | undefined>;
  /** By name, whether expired or not; unknown names are left out. */
  getMany(names: readonly string[]): Promise<Namespace[]>;
  /** The name behind `after` among all of the tenant that have not expired, by their bytes. Operators' transactions only. */
  next(after: string, now: Date): Promise<string | undefined>;
  /** Inserts or replaces. Queued. */
  put(namespace: Namespace): void;
  /** Its memories go with it. Queued; leaves out what is not there. */
  delete(name: string): void;
  /** Names of the tenant's namespaces that have expired, the longest ago first. Operators' transactions only. */
  expired(limit: number, now: Date): Promise<string[]>;
}
