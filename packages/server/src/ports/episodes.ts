/** Where in a user's chats something was said. */
export interface ChatPlace {
  sessionId: string;
  appId: string;
  projectId: string;
}

/** A stretch of a chat that was closed; the event tells what it was about. */
export interface Episode extends ChatPlace {
  eventId: string;
  /** Order of arrival of its last message: what came later is not closed yet. */
  lastSeq: bigint;
  /** waiting: its extractor has not read it yet; failed: and will not. */
  status: 'waiting' | 'done' | 'failed';
  attempts: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Closed episodes of the transaction's user. */
export interface Episodes {
  get(eventId: string): Promise<Episode | undefined>;
  /** Order of arrival of the chat's last message that is in a closed episode; 0: none is. */
  closedUpTo(place: ChatPlace): Promise<bigint>;
  /** Replaces what is there; earlier ones of the same chat that wait for nothing are no longer needed and go. Queued. */
  put(episode: Episode): void;
  /** Those of the tenant that wait since before the moment, oldest first. Operators' transactions only. */
  waiting(since: Date, limit: number): Promise<{ userId: string; eventId: string }[]>;
}
