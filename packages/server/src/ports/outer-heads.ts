/** How far the database agrees with the outer store for one user. */
export interface OuterHead {
  /** The last change in the user's journal that the database contains; '' if there was none. */
  changeId: string;
  /** Audit records up to this one are in the outer store. */
  auditSeq: bigint;
}

/** The head of the transaction's user, or of the tenant if there is no user. */
export interface OuterHeads {
  /** Returns undefined if the user was never compared with the outer store. */
  get(): Promise<OuterHead | undefined>;
  /** Queued. */
  put(head: OuterHead): void;
}
