export interface TenantKey {
  keyId: string;
  /** The key, encrypted with the master key. */
  wrapped: Buffer;
  /** Id of that master key. */
  wrappedBy: string;
  createdAt: Date;
}

/** Data keys of the transaction's tenant. */
export interface TenantKeys {
  get(keyId: string): Promise<TenantKey | undefined>;
  /** Returns the key that encrypts new data; undefined if none was created yet. */
  newest(): Promise<TenantKey | undefined>;
  all(): Promise<TenantKey[]>;
  /** Queued; if another transaction added the same id first, its key stays. */
  add(key: TenantKey): void;
  /** Replaces the stored key with the same key, wrapped again. Operator transactions only. Queued. */
  rewrap(key: TenantKey): void;
}
