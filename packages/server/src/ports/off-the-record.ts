/**
 * Whether a call asked not to be remembered, and what came of it. There is one object per call: the copies of its caller share it.
 */
export interface OffTheRecord {
  /** The call itself asked for it; a session can be off the record too. */
  readonly isAsked: boolean;
  /** How much of what the call brought was not stored. */
  unstored: 'nothing' | 'some' | 'all';
}

/** A session of which nothing is stored for a while. */
export interface UnrecordedSession {
  sessionId: string;
  startedAt: Date;
  /** When it is on the record again by itself; null if only when somebody ends it. */
  until: Date | null;
}

/** The sessions of the transaction's user that are off the record. Those whose time is over are never returned. */
export interface UnrecordedSessions {
  /** Returns those among the given sessions that are off the record, in no particular order. */
  among(sessionIds: readonly string[], now: Date): Promise<UnrecordedSession[]>;
  /** Ordered by session id, after `after`. */
  list(page: { after: string | undefined; limit: number; now: Date }): Promise<UnrecordedSession[]>;
  /** Replaces the one with the same session id. Queued. */
  put(session: UnrecordedSession): void;
  /** Queued. */
  delete(sessionId: string): void;
  /** Returns the users of the tenant who have sessions whose time is over. Operator transactions only. */
  overOwners(now: Date): Promise<string[]>;
  /** Removes up to `limit` sessions whose time is over, and returns their ids. */
  deleteOver(now: Date, limit: number): Promise<string[]>;
}
