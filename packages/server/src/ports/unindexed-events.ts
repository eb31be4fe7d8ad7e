/** Events that the outer index lacks. */
export interface IndexBacklog {
  count: number;
  /** Since when the oldest of them has been waiting. */
  oldest: Date | null;
}

/**
 * The events of the transaction's user whose document in the outer index may be missing or old. An event waits until the
 * index has accepted its present version. Then it stays listed as sent until the index has had time to find it.
 */
export interface UnindexedEvents {
  /** Lets events wait, even if they were sent before. Queued. */
  add(eventIds: readonly string[], now: Date): void;
  /** Lets all events of the user wait. Queued. */
  addAll(now: Date): void;
  /** Queued. */
  remove(eventIds: readonly string[]): void;
  /** Queued. */
  markSent(eventIds: readonly string[], now: Date): void;
  /** Removes those that were sent before this time. Queued. */
  removeSent(before: Date): void;
  /** Returns up to `limit` waiting events, those that have waited longest first. */
  waiting(limit: number): Promise<string[]>;
  /** Returns those of the given events that do not wait. */
  notWaiting(eventIds: readonly string[]): Promise<string[]>;
  /** Returns whether every event of the user waits. */
  allWait(): Promise<boolean>;
  /** Returns whether the index may lack an event: one waits, or was sent after this time. */
  isBehind(sentAfter: Date): Promise<boolean>;
  /** Returns the users of the tenant with events that wait, or that were sent before this time. Operator transactions only. */
  owners(sentBefore: Date): Promise<string[]>;
  /** Counts the waiting events of all users of the tenant. Operator transactions only. */
  backlog(): Promise<IndexBacklog>;
}
