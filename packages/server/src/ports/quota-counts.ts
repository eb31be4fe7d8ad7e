interface QuotaGrant {
  /** How many requests may pass; 0 if the limit is reached. */
  granted: number;
  /** When the minute of this count is over. */
  endsAt: Date;
}

/** Requests of the transaction's tenant, counted for all nodes together. A count may start again at any time, such as after a failover. */
export interface QuotaCounts {
  /**
   * Takes requests out of what a minute has left: as many as wanted, or a share that spares the next calls, but never more than there
   * are. A minute begins with the first request after the end of the last one.
   */
  take(count: { key: string; limit: number; wanted: number; now: Date }): Promise<QuotaGrant>;
  /** Removes counts of minutes that are over. */
  deleteEnded(now: Date): Promise<void>;
}
