/** How far the database agrees with the outer store about one user. */
export interface OuterHead {
  /** The last change of the user's journal that is in the database; '' where there was none. */
  changeId: string;
  /** Audit records up to this one are in the outer store. */
  auditSeq: bigint;
}

/** Of the transaction's user, or of the tenant when it has none. */
export interface OuterHeads {
  /** undefined: nothing of the user was ever compared with the outer store. */
  get(): Promise<OuterHead | undefined>;
  /** Queued. */
  put(head: OuterHead): void;
}
