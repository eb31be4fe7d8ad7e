import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../files/write-file-atomically.js';
import { Turns } from '../turns.js';
import { rankMessages } from './rank-messages.js';
import type { SessionEvent, SessionMatch, SessionQuery, SessionStore } from './session-store.js';

const suffix = '.jsonl';
/** File names of ids encoded with `encodeURIComponent`. */
const fileName = /^(?:[\w.-]|%3A|%40)+\.jsonl$/;
const lineBreak = 0x0a;

/** Stores sessions in files: one file per session, one line of JSON per event. */
export class FileSessionStore implements SessionStore {
  readonly #directory: string;
  readonly #turns = new Turns();

  constructor(directory: string) {
    this.#directory = directory;
  }

  append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    return this.#turns.take(sessionId, () => this.#append(sessionId, events));
  }

  async read(sessionId: string): Promise<SessionEvent[]> {
    try {
      return parseLines(await readFile(this.#path(sessionId), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async search(query: SessionQuery): Promise<SessionMatch[]> {
    const sessions: [string, SessionEvent[]][] = [];
    for (const id of await this.#list()) sessions.push([id, await this.read(id)]);
    return rankMessages(sessions, query);
  }

  async #append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = await open(this.#path(sessionId), 'a+', 0o600);
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

  async #list(): Promise<string[]> {
    try {
      const names = await readdir(this.#directory);
      return names
        .filter((name) => fileName.test(name))
        .map((name) => decodeURIComponent(name.slice(0, -suffix.length)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #path(sessionId: string): string {
    return join(this.#directory, `${encodeURIComponent(sessionId)}${suffix}`);
  }
}

/** A process that died while writing may have left a partial line. The next event must not continue it. */
async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === lineBreak;
}

/** Skips partial lines, which are not JSON. They are left from events whose append never resolved. */
function parseLines(text: string): SessionEvent[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as SessionEvent];
    } catch {
      return [];
    }
  });
}
