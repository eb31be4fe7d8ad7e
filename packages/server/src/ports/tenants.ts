/** Settings of the transaction's tenant. */
export interface Tenants {
  /** Returns undefined if none is set. */
  language(): Promise<string | undefined>;
  /** Queued. Operator transactions only. */
  setLanguage(language: string): void;
}
