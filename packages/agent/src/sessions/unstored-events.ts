import type { SessionEvent } from './session-store.js';

/** Events off the record, by session. They stay in this process. */
export class UnstoredEvents {
  readonly #bySession = new Map<string, SessionEvent[]>();

  add(sessionId: string, events: readonly SessionEvent[]): void {
    this.#bySession.set(sessionId, [...(this.#bySession.get(sessionId) ?? []), ...events]);
  }

  /** Returns whether there were any. */
  delete(sessionId: string): boolean {
    return this.#bySession.delete(sessionId);
  }

  /** Returns the stored events of a session in their order, with these among them by time. */
  among(sessionId: string, stored: SessionEvent[]): SessionEvent[] {
    const merged: SessionEvent[] = [];
    const rest = [...stored];
    for (const event of this.#bySession.get(sessionId) ?? []) {
      const later = rest.findIndex(({ at }) => at > event.at);
      merged.push(...rest.splice(0, later === -1 ? rest.length : later), event);
    }
    return [...merged, ...rest];
  }
}
