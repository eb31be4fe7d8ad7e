interface StoredUserSettings {
  /** A name of the IANA list. */
  timeZone: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What the transaction's user has set. */
export interface UserSettings {
  /** Returns undefined if nothing is set. */
  get(): Promise<StoredUserSettings | undefined>;
  /** Inserts or replaces. Queued. */
  put(settings: StoredUserSettings): void;
}
