export interface TenantKey {
  keyId: string;
  /** The key itself, encrypted with the master key. */
  wrapped: Buffer;
  /** Which master key that was. */
  wrappedBy: string;
  createdAt: Date;
}

/** Data keys of the transaction's tenant. */
export interface TenantKeys {
  get(keyId: string): Promise<TenantKey | undefined>;
  /** The one that new data is encrypted with; undefined: none was made yet. */
  newest(): Promise<TenantKey | undefined>;
  all(): Promise<TenantKey[]>;
  /** Queued; where another transaction was first with the same id, its key stays. */
  add(key: TenantKey): void;
  /** Puts the same key, wrapped anew, in place. Operators' transactions only. Queued. */
  rewrap(key: TenantKey): void;
}
