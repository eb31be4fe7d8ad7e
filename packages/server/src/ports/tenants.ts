interface StoredTenantSettings {
  language: string;
  /** Labels of what is redacted in addition to secrets. */
  alsoRedacted: readonly string[];
}

/** Settings of the transaction's tenant. */
export interface Tenants {
  /** Returns undefined if none is set. */
  settings(): Promise<StoredTenantSettings | undefined>;
  /** Queued. Operator transactions only. */
  setLanguage(language: string): void;
  /** Queued. Operator transactions only. Replaces all labels. */
  setAlsoRedacted(labels: readonly string[]): void;
}
