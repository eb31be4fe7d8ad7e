/** What a tenant chose for its own. */
export interface Tenants {
  /** undefined: nothing chosen. */
  language(): Promise<string | undefined>;
  /** Queued. Operators only. */
  setLanguage(language: string): void;
}
