import { MemhallError, type UserOptions } from '@memhall/client';
import { Problem } from '@memhall/core';
import { toStorableText } from '../../memory/storable-text.js';
import { Turns } from '../../turns.js';
import { excerpt } from '../excerpt.js';
import { queryWords } from '../index/message-words.js';
import { checkPageLimit } from '../page-of-sessions.js';
import type {
  SessionEvent,
  SessionMatch,
  SessionPage,
  SessionPageRequest,
  SessionQuery,
  SessionStore,
} from '../session-store.js';
import { UnstoredEvents } from '../unstored-events.js';
import type { MemoryCalls } from './memory-calls.js';
import { SessionLog } from './session-log.js';
import { SpokenTexts } from './spoken-texts.js';
import { putBackTexts, takeOutTexts } from './stored-event.js';

export interface ServerSessionStoreOptions {
  client: MemoryCalls;
  /** Stores with different ids share no sessions. Default `beaver`; up to 100 of the characters A-Z a-z 0-9 . _ : @ - */
  agentId?: string;
  /** The user that a service token acts for. */
  userId?: string;
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** What a search of the server returns at most. Messages of the current run are excluded afterwards. */
const mostMatches = 50;
const maxQueryCharacters = 20_000;

/**
 * Stores sessions in a Memhall server. What users and assistants said becomes episodic memory, so that the server can
 * search, redact and erase it like anything else that was said. The rest is in working memory, which no recall returns.
 * A search finds messages by their words and, if the server has an embedder, by their meaning. Operations reject with
 * a MemhallError if the server cannot be reached or rejects a call.
 */
export class ServerSessionStore implements SessionStore {
  readonly #client: MemoryCalls;
  readonly #agentId: string;
  readonly #user: UserOptions;
  readonly #now: () => number;
  readonly #log: SessionLog;
  readonly #texts: SpokenTexts;
  readonly #turns = new Turns();
  /** Sessions that are known to belong to this agent. */
  readonly #claimed = new Set<string>();
  /** What the server did not store because the session is off the record. */
  readonly #unstored = new UnstoredEvents();
  /** By session, the time of the latest append that this store has seen. */
  readonly #latest = new Map<string, number>();

  constructor({ client, agentId = 'beaver', userId, now = Date.now }: ServerSessionStoreOptions) {
    this.#client = client;
    this.#agentId = agentId;
    this.#user = userId === undefined ? {} : { userId };
    this.#now = now;
    this.#log = new SessionLog(client, this.#user, agentId);
    this.#texts = new SpokenTexts(client, this.#user, agentId);
  }

  append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    return this.#turns.take(sessionId, async () => {
      const isStored = await this.#append(sessionId, events).then(() => true, unlessCode('OFF_THE_RECORD'));
      if (!isStored) this.#unstored.add(sessionId, events);
    });
  }

  async read(sessionId: string): Promise<SessionEvent[]> {
    return this.#unstored.among(sessionId, await this.#read(sessionId));
  }

  async #read(sessionId: string): Promise<SessionEvent[]> {
    const { events, latest } = await this.#log.read(sessionId);
    this.#note(sessionId, latest);
    if (!events.some(({ key }) => key !== undefined)) return events.map(({ event }) => event);
    // Read after the log: an event is logged after its texts were stored.
    const textOf = await this.#texts.read(sessionId);
    return events.map((stored) => putBackTexts(stored, textOf));
  }

  async search({ text, limit, exceptRunId }: SessionQuery): Promise<SessionMatch[]> {
    const words = queryWords(text);
    if (words.length === 0) return [];
    const query = toStorableText(text).text.slice(0, maxQueryCharacters).toWellFormed();
    const matches = new Map<string, SessionMatch>();
    for (const found of await this.#texts.search(query, mostMatches)) {
      const { key, runId, sessionId: session_id, at, role } = found;
      if (runId === exceptRunId || matches.has(key)) continue;
      matches.set(key, { session_id, at, role, text: excerpt(found.text, words) });
    }
    return [...matches.values()].slice(0, limit);
  }

  async list({ limit = 20, cursor }: SessionPageRequest = {}): Promise<SessionPage> {
    checkPageLimit(limit);
    const sessions: SessionPage['sessions'] = [];
    for (let next = cursor; ; ) {
      // Never more than are missing, because the cursor of the server is at the end of its page.
      const rest = { limit: limit - sessions.length, ...(next === undefined ? {} : { cursor: next }) };
      const page = await this.#client.listSessions({ ...this.#user, ...rest });
      for (const { session_id, agent_id, last_interaction } of page.sessions) {
        if (agent_id === this.#agentId) sessions.push({ session_id, last_at: last_interaction });
      }
      next = page.next_cursor;
      if (next === undefined) return { sessions };
      if (sessions.length === limit) return { sessions, next_cursor: next };
    }
  }

  /** The session itself is deleted last, so that it is still listed if the deletion is interrupted. */
  delete(sessionId: string): Promise<boolean> {
    return this.#turns.take(sessionId, async () => {
      const session = await this.#client.getSession(sessionId, this.#user);
      if (session !== null && session.agent_id !== this.#agentId) return false;
      const hadTexts = await this.#texts.delete(sessionId);
      const hadLog = await this.#log.delete(sessionId);
      const wasThere = await this.#client.deleteSession(sessionId, this.#user);
      this.#claimed.delete(sessionId);
      this.#unstored.delete(sessionId);
      return wasThere || hadLog || hadTexts;
    });
  }

  async #append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const isNew = !this.#claimed.has(sessionId) && (await this.#claim(sessionId));
    const taken = events.map((event) => ({ event, ...takeOutTexts(event) }));
    const spoken = taken.flatMap(({ event, pieces }) => pieces.map((piece) => ({ event, piece })));
    await this.#texts.store(sessionId, spoken);
    const time = Math.max(this.#now(), (this.#latest.get(sessionId) ?? 0) + 1);
    const stored = taken.map((one) => one.stored);
    await this.#log.append(sessionId, time, stored);
    this.#note(sessionId, time);
    if (!isNew) await this.#touch(sessionId);
  }

  /** Returns whether the session is new. Rejects with CONFLICT if it belongs to another agent. */
  async #claim(sessionId: string): Promise<boolean> {
    const session = { session_id: sessionId, agent_id: this.#agentId };
    const isNew = await this.#client.createSession(session, this.#user).then(() => true, unlessCode('CONFLICT'));
    const existing = isNew ? null : await this.#client.getSession(sessionId, this.#user);
    if (existing !== null && existing.agent_id !== this.#agentId) {
      throw new Problem('CONFLICT', 'This session belongs to another agent of the user. Choose another session id.');
    }
    this.#claimed.add(sessionId);
    return isNew;
  }

  /** Another process may have deleted the session. Then this append begins a new one. */
  async #touch(sessionId: string): Promise<void> {
    const isThere = await this.#client.touchSession(sessionId, this.#user).then(() => true, unlessCode('NOT_FOUND'));
    if (!isThere) await this.#claim(sessionId);
  }

  #note(sessionId: string, time: number): void {
    this.#latest.set(sessionId, Math.max(time, this.#latest.get(sessionId) ?? 0));
  }
}

function unlessCode(code: string): (error: unknown) => false {
  return (error) => {
    if (error instanceof MemhallError && error.code === code) return false;
    throw error;
  };
}
