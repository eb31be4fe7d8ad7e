/** What is kept of a user's key. */
export interface UserKey {
  /** SHA-256 of the key, which itself is kept nowhere. */
  keyHash: Buffer;
  createdAt: Date;
  /** When this key took the place of the one before. */
  updatedAt: Date;
}

/** The key that the transaction's user shows to the gateway; a user has at most one. */
export interface UserKeys {
  get(): Promise<UserKey | undefined>;
  /** Replaces what is there. Queued. */
  put(key: UserKey): void;
}
