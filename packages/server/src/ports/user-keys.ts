/** Stored data about a user's key. */
interface UserKey {
  /** SHA-256 of the key; the key itself is not stored. */
  keyHash: Buffer;
  createdAt: Date;
  /** When this key replaced the previous one. */
  updatedAt: Date;
}

/** The key that the transaction's user presents to the gateway; a user has at most one. */
export interface UserKeys {
  get(): Promise<UserKey | undefined>;
  /** Inserts or replaces. Queued. */
  put(key: UserKey): void;
}
