import type { Json } from '@memhall/core';

export interface SessionEvent {
  id: string;
  run_id: string;
  /** RFC 3339 */
  at: string;
  /** `message`, with a message of the AI SDK as its payload, or the name of something that happened. */
  type: string;
  /** false: for whoever looks after the agent; never part of a context, never found by a search. */
  context_visible: boolean;
  payload: Json;
}

export interface SessionQuery {
  text: string;
  /** At most this many matches. */
  limit: number;
  /** A run whose own messages are not looked for. */
  exceptRunId?: string;
}

export interface SessionMatch {
  session_id: string;
  /** RFC 3339 */
  at: string;
  role: 'user' | 'assistant';
  /** What was said, or the part of it around the first word that was found. */
  text: string;
}

/** Keeps what happened in sessions. Nothing is ever changed or removed by an agent. */
export interface SessionStore {
  /**
   * Adds events at the end, in order. When it resolves they survive a crash; when the process dies before, the first few
   * of them may be there. Rejects when they could not be written. Appends to one session wait for each other.
   */
  append(sessionId: string, events: readonly SessionEvent[]): Promise<void>;
  /** All events in order of appending; none for a session that is not known. */
  read(sessionId: string): Promise<SessionEvent[]>;
  /** Visible messages of users and assistants that have words of the text, best first, newer before older. */
  search(query: SessionQuery): Promise<SessionMatch[]>;
}
