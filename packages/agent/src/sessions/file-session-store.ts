import { type FileHandle, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../files/write-file-atomically.js';
import { Turns } from '../turns.js';
import { excerpt } from './excerpt.js';
import type { IndexedMessage } from './index/indexed-session.js';
import { queryWords } from './index/message-words.js';
import { rankMessages } from './index/rank-messages.js';
import { SessionIndex } from './index/session-index.js';
import { messageOf, textOf } from './message-text.js';
import { pageOfSessions } from './page-of-sessions.js';
import { parseEvent } from './parse-event.js';
import type {
  SessionEvent,
  SessionMatch,
  SessionPage,
  SessionPageRequest,
  SessionQuery,
  SessionStore,
  SessionSummary,
} from './session-store.js';

const suffix = '.jsonl';
/** File names of ids encoded with `encodeURIComponent`. */
const fileName = /^(?:[\w.-]|%3A|%40)+\.jsonl$/;
const lineBreak = 0x0a;

export interface FileSessionStoreOptions {
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** Stores sessions in files: one file per session, one line of JSON per event. */
export class FileSessionStore implements SessionStore {
  readonly #directory: string;
  readonly #index: SessionIndex;
  readonly #turns = new Turns();

  constructor(directory: string, { now = Date.now }: FileSessionStoreOptions = {}) {
    this.#directory = directory;
    this.#index = new SessionIndex(directory, now);
  }

  append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    return this.#turns.take(sessionId, () => this.#append(sessionId, events));
  }

  async read(sessionId: string): Promise<SessionEvent[]> {
    const text = await readFile(this.#path(toFileName(sessionId)), 'utf8').catch(ifMissing);
    return (text ?? '').split('\n').flatMap((line) => parseEvent(line) ?? []);
  }

  async search({ text, limit, exceptRunId }: SessionQuery): Promise<SessionMatch[]> {
    const words = queryWords(text);
    if (words.length === 0) return [];
    const messages = await this.#index.read(await this.#fileNames());
    const matches: SessionMatch[] = [];
    for (const { name, message } of rankMessages(messages, { words, limit, exceptRunId })) {
      const found = await this.#readText(name, message);
      if (found === undefined) continue;
      matches.push({ session_id: toSessionId(name), at: message.at, role: message.role, text: excerpt(found, words) });
    }
    return matches;
  }

  async list(page?: SessionPageRequest): Promise<SessionPage> {
    const sessions: SessionSummary[] = [];
    for (const name of await this.#fileNames()) {
      const found = await stat(this.#path(name)).catch(ifMissing);
      if (found !== undefined) sessions.push({ session_id: toSessionId(name), last_at: found.mtime.toISOString() });
    }
    return pageOfSessions(sessions, page);
  }

  delete(sessionId: string): Promise<boolean> {
    const name = toFileName(sessionId);
    return this.#turns.take(sessionId, async () => {
      const isThere = await unlink(this.#path(name)).then(() => true, ifMissing);
      if (isThere) await syncDirectory(this.#directory);
      // Removed in any case, because an earlier deletion may have been interrupted here.
      await this.#index.forget(name);
      return isThere ?? false;
    });
  }

  async #append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = await open(this.#path(toFileName(sessionId)), 'a+', 0o600);
    let isNew: boolean;
    try {
      const { size } = await file.stat();
      isNew = size === 0;
      const start = isNew || (await endsLine(file, size)) ? '' : '\n';
      await file.appendFile(`${start}${events.map((event) => `${JSON.stringify(event)}\n`).join('')}`);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (isNew) await syncDirectory(this.#directory);
  }

  /** Returns undefined if the file changed after it was indexed and the message is gone. */
  async #readText(name: string, { offset, length, at, role }: IndexedMessage): Promise<string | undefined> {
    const file = await open(this.#path(name), 'r').catch(ifMissing);
    if (file === undefined) return undefined;
    try {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      const event = parseEvent(buffer.toString('utf8'));
      const message = event?.at === at ? messageOf(event) : undefined;
      return message?.role === role ? textOf(message) : undefined;
    } finally {
      await file.close();
    }
  }

  async #fileNames(): Promise<string[]> {
    const names = await readdir(this.#directory).catch(ifMissing);
    return (names ?? []).filter((name) => fileName.test(name));
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

function toFileName(sessionId: string): string {
  return `${encodeURIComponent(sessionId)}${suffix}`;
}

function toSessionId(name: string): string {
  return decodeURIComponent(name.slice(0, -suffix.length));
}

/** A process that died while writing may have left a partial line. The next event must not continue it. */
async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === lineBreak;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
