/** The chat of a user in which something was said. */
export interface ChatPlace {
  sessionId: string;
  appId: string;
  projectId: string;
}

/** A closed stretch of a chat; its event describes what it was about. */
export interface Episode extends ChatPlace {
  eventId: string;
  /** Arrival number of its last message; later messages are not closed yet. */
  lastSeq: bigint;
  /** `waiting`: the extractor has not read it yet. `failed`: the extractor gave up on it. */
  status: 'waiting' | 'done' | 'failed';
  attempts: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Closed episodes of the transaction's user. */
export interface Episodes {
  get(eventId: string): Promise<Episode | undefined>;
  /** Returns the arrival number of the chat's last message in a closed episode; 0 if there is none. */
  closedUpTo(place: ChatPlace): Promise<bigint>;
  /**
   * Inserts or replaces. Also removes earlier episodes of the same chat that are not waiting, which are no longer
   * needed. Queued.
   */
  put(episode: Episode): void;
  /**
   * Returns the tenant's episodes that have been waiting since the given time or longer, oldest first. Operator
   * transactions only.
   */
  waiting(since: Date, limit: number): Promise<{ userId: string; eventId: string }[]>;
}
