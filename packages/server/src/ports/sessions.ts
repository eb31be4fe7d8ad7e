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
  /** Latest interaction first, then by id, starting after the position `before`. */
  list(page: { before: { at: Date; id: string } | undefined; limit: number }): Promise<Session[]>;
  /** Inserts or replaces. Queued: a failure fails the transaction at commit. */
  put(session: Session): void;
  /** Does not delete the session's plans. Queued; does nothing if it does not exist. */
  delete(sessionId: string): void;
}
