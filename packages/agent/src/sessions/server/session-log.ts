import { createHash, randomUUID } from 'node:crypto';
import type { UserOptions } from '@memhall/client';
import type { MemoryCalls } from './memory-calls.js';
import { splitLosslessly } from './split-losslessly.js';
import type { StoredEvent } from './stored-event.js';

/** A part of an append. Large appends have several parts, because the size of a request is limited. */
interface LogEntry {
  part: number;
  parts: number;
  /** JSON of the stored events, or a piece of it. */
  text: string;
}

interface Log {
  events: StoredEvent[];
  /** Time of the last append. 0 if there is none. */
  latest: number;
}

const pageSize = 100;
/** In UTF-16 code units. As JSON in UTF-8, it stays below the server's limit of 1 MiB. */
const maxPartCharacters = 150_000;
const keyPattern = /^(\d{15})-([0-9a-f-]{36})-\d{4}$/;

/**
 * The order of a session's events, and everything in them that nobody said, in working memory: no recall finds it. Each
 * append is one value, or several if it is large. Keys begin with the time, so that the values are listed in order.
 */
export class SessionLog {
  readonly #client: MemoryCalls;
  readonly #user: UserOptions;
  readonly #agentId: string;

  constructor(client: MemoryCalls, user: UserOptions, agentId: string) {
    this.#client = client;
    this.#user = user;
    this.#agentId = agentId;
  }

  /** The append counts only when its last part is stored. */
  async append(sessionId: string, time: number, events: readonly StoredEvent[]): Promise<void> {
    const texts = splitLosslessly(JSON.stringify(events), maxPartCharacters);
    const prefix = `${String(time).padStart(15, '0')}-${randomUUID()}`;
    for (const [part, text] of texts.entries()) {
      const entry: LogEntry = { part, parts: texts.length, text };
      const key = `${prefix}-${String(part).padStart(4, '0')}`;
      await this.#client.setPlanState(this.#planId(sessionId), key, entry, {
        ...this.#user,
        onlyIfAbsent: true,
        sessionId,
      });
    }
  }

  async read(sessionId: string): Promise<Log> {
    const appends = new Map<string, LogEntry[]>();
    let latest = 0;
    const values = this.#client.allPlanState(this.#planId(sessionId), { ...this.#user, limit: pageSize });
    for await (const { key, value } of values) {
      const [, time, id] = keyPattern.exec(key) ?? [];
      if (time === undefined || id === undefined) continue;
      latest = Number(time);
      appends.set(id, [...(appends.get(id) ?? []), value as LogEntry]);
    }
    return { events: [...appends.values()].flatMap(parse), latest };
  }

  /** Returns whether there was anything. */
  async delete(sessionId: string): Promise<boolean> {
    const { deleted_count } = await this.#client.deletePlanState(this.#planId(sessionId), undefined, this.#user);
    return deleted_count > 0;
  }

  /** Session ids may be longer than the ids of plans. */
  #planId(sessionId: string): string {
    const hash = createHash('sha256').update(JSON.stringify([this.#agentId, sessionId]));
    return `session:${hash.digest('hex')}`;
  }
}

/** Returns nothing for an append that was interrupted. */
function parse(entries: readonly LogEntry[]): StoredEvent[] {
  const isComplete = entries.length === entries[0]?.parts;
  return isComplete ? (JSON.parse(entries.map(({ text }) => text).join('')) as StoredEvent[]) : [];
}
