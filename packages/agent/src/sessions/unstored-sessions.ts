import type {
  SessionEvent,
  SessionMatch,
  SessionPage,
  SessionPageRequest,
  SessionQuery,
  SessionStore,
} from './session-store.js';
import { UnstoredEvents } from './unstored-events.js';

/**
 * Sessions off the record: what is appended stays in this process and is gone when it ends. A session continues what is stored of it,
 * and searches find only what is stored.
 */
export class UnstoredSessions implements SessionStore {
  readonly #stored: SessionStore;
  readonly #unstored = new UnstoredEvents();

  constructor(stored: SessionStore) {
    this.#stored = stored;
  }

  async append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    this.#unstored.add(sessionId, events);
  }

  async read(sessionId: string): Promise<SessionEvent[]> {
    return this.#unstored.among(sessionId, await this.#stored.read(sessionId));
  }

  search(query: SessionQuery): Promise<SessionMatch[]> {
    return this.#stored.search(query);
  }

  list(page?: SessionPageRequest): Promise<SessionPage> {
    return this.#stored.list(page);
  }

  async delete(sessionId: string): Promise<boolean> {
    const hadEvents = this.#unstored.delete(sessionId);
    return (await this.#stored.delete(sessionId)) || hadEvents;
  }
}
