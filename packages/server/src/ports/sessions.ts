import type { Json } from '@memhall/core';

/** A conversation that groups plans. */
export interface Session {
  sessionId: string;
  agentId: string | null;
  name: string | null;
  metadata: { [key: string]: Json };
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  lastInteraction: Date;
}

/** Sessions of the transaction's user. */
export interface Sessions {
  get(sessionId: string): Promise<Session | undefined>;
  /** Newest interaction first, then by id; only those after the position `before`. */
  list(page: { before: { at: Date; id: string } | undefined; limit: number }): Promise<Session[]>;
  /** Inserts or replaces. Queued: a failure fails the transaction when it commits. */
  put(session: Session): void;
  /** Leaves the session's plans. Queued; removing what is not there is no failure. */
  delete(sessionId: string): void;
}
