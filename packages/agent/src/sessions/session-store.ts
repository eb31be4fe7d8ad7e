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
  /** At most this many matches. */
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

/** Stores the events of sessions. An agent never changes or removes events. */
export interface SessionStore {
  /**
   * Appends events in order. When it resolves, they survive a crash. If the process dies before, some of the first
   * events may have been stored. Rejects if the events could not be written. Appends to the same session are
   * serialized.
   */
  append(sessionId: string, events: readonly SessionEvent[]): Promise<void>;
  /** Returns all events in the order they were appended, or none for an unknown session. */
  read(sessionId: string): Promise<SessionEvent[]>;
  /** Returns visible messages of users and assistants that contain words of the text, best first, then newest first. */
  search(query: SessionQuery): Promise<SessionMatch[]>;
}
