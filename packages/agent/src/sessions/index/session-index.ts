import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenDirectory } from '../../files/open-directory.js';
import { Turns } from '../../turns.js';
import { loadIndex, openIndexFolder, removeIndex, type StoredIndex, saveIndex, sweepIndexes } from './index-files.js';
import { type IndexedMessage, indexSession } from './indexed-session.js';

/**
 * Timestamps of files are coarse. A file that changed this recently may change again without getting a new one, so it is
 * compared with its hash the next time.
 */
const settledMs = 2000;

/**
 * The words of all session files in a directory, in memory and on disk. The files are authoritative: every use looks at
 * their sizes and times, and reads those that changed. So it does not matter which process wrote them, or whether a
 * person edited them.
 */
export class SessionIndex {
  readonly #directory: string;
  readonly #now: () => number;
  readonly #known = new Map<string, StoredIndex>();
  readonly #turns = new Turns();

  constructor(directory: string, now: () => number) {
    this.#directory = directory;
    this.#now = now;
  }

  /** Returns the messages of these files as they are now. Forgets all other files. */
  read(names: readonly string[]): Promise<Map<string, readonly IndexedMessage[]>> {
    return this.#turns.take('', async () => {
      const wanted = new Set(names);
      for (const name of this.#known.keys()) if (!wanted.has(name)) this.#known.delete(name);
      const folder = names.length === 0 ? undefined : await openIndexFolder(this.#directory);
      try {
        for (const name of names) await this.#update(folder, name);
        if (folder !== undefined) await sweepIndexes(folder, wanted);
      } finally {
        await folder?.close();
      }
      return new Map([...this.#known].map(([name, { session }]) => [name, session.messages]));
    });
  }

  /** Removes everything known about a file. Call it after the file was removed. */
  forget(name: string): Promise<void> {
    return this.#turns.take('', async () => {
      this.#known.delete(name);
      const folder = await openIndexFolder(this.#directory);
      try {
        if (folder !== undefined) await removeIndex(folder, name);
      } finally {
        await folder?.close();
      }
    });
  }

  async #update(folder: OpenDirectory | undefined, name: string): Promise<void> {
    const path = join(this.#directory, name);
    const found = await stat(path, { bigint: true }).catch(ifMissing);
    const known = this.#known.get(name) ?? (folder && (await loadIndex(folder, name)));
    if (known !== undefined && known.state !== null && found !== undefined && known.state === stateOf(found)) {
      this.#known.set(name, known);
      return;
    }
    const file = await open(path, constants.O_RDONLY).catch(ifMissing);
    if (file === undefined) {
      this.#known.delete(name);
      return;
    }
    const current = await readIndex(file, known, this.#now()).finally(() => file.close());
    this.#known.set(name, current);
    if (folder === undefined || (current.session === known?.session && current.state === known.state)) return;
    await saveIndex(folder, name, current);
    // Another process may have removed the file and its index meanwhile.
    if ((await stat(path).catch(ifMissing)) === undefined) await removeIndex(folder, name);
  }
}

async function readIndex(file: FileHandle, known: StoredIndex | undefined, now: number): Promise<StoredIndex> {
  const found = await file.stat({ bigint: true });
  const isSettled = now - Number(found.ctimeMs) > settledMs;
  const session = await indexSession(await file.readFile(), known?.session);
  return { session, state: isSettled ? stateOf(found) : null };
}

/** The change time cannot be set by programs, unlike the modification time. */
function stateOf({ dev, ino, size, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, ctimeNs].join(':');
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
