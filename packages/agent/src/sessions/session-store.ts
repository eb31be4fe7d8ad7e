import type { Json } from '@memhall/core';

export interface SessionEvent {
  id: string;
  run_id: string;
  /** RFC 3339 */
  at: string;
  /** `message`, with a message of the AI SDK as its payload, or the name of another event. */
  type: string;
  /** If false, the event is only for operators: never part of a context, never found by a search. */
  context_visible: boolean;
  payload: Json;
}

export interface SessionQuery {
  text: string;
  /** At most this many matches, 1 to 20. */
  limit: number;
  /** Messages of this run are excluded. */
  exceptRunId?: string;
}

export interface SessionMatch {
  session_id: string;
  /** RFC 3339 */
  at: string;
  role: 'user' | 'assistant';
  /** The text of the message, or the part of it around the first matching word. */
  text: string;
}

export interface SessionSummary {
  session_id: string;
  /** When events were last appended, RFC 3339. */
  last_at: string;
}

export interface SessionPageRequest {
  /** 1 to 100, default 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface SessionPage {
  sessions: SessionSummary[];
  /** Absent on the last page. */
  next_cursor?: string;
}

/** Stores the events of sessions. An agent never changes or removes events. */
export interface SessionStore {
  /**
   * Appends events in order. When it resolves, they survive a crash. If the process dies before, some of the first
   * events may have been stored. Rejects if the events could not be written. Appends to the same session are
   * serialized, also with those of other processes.
   */
  append(sessionId: string, events: readonly SessionEvent[]): Promise<void>;
  /** Returns all events in the order they were appended, or none for an unknown session. */
  read(sessionId: string): Promise<SessionEvent[]>;
  /**
   * Returns visible messages of users and assistants that contain words of the text, best first, then newest first. A
   * message can be found as soon as its append has resolved. A store may also find messages by their meaning.
   */
  search(query: SessionQuery): Promise<SessionMatch[]>;
  /**
   * Returns one page of the sessions, the one with the latest append first. A session that is appended to between two
   * pages moves to the front. Rejects with INVALID_REQUEST if the limit or the cursor is invalid.
   */
  list(page?: SessionPageRequest): Promise<SessionPage>;
  /**
   * Deletes a session with all its events, permanently: no read, list or search returns any of it when it resolves, and
   * the store keeps no copy. Returns false if there was no such session. An event that is appended at the same time is
   * either deleted too or begins a new session.
   */
  delete(sessionId: string): Promise<boolean>;
}
