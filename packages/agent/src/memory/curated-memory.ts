import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFault, scanText } from '@memhall/core';
import { withDirectoryLock } from '../files/directory-lock.js';
import { openDirectory } from '../files/open-directory.js';
import { LockTimeout } from '../files/ticket-lock.js';
import { writeFileAtomically } from '../files/write-file-atomically.js';
import { Turns } from '../turns.js';
import { addEntry, listEntries, replaceEntry } from './curated-entries.js';
import type { MemorySnapshot, WithheldNote } from './memory-backend.js';
import { screenNotes } from './screen-notes.js';

export const curatedFiles = { memory: 'MEMORY.md', user: 'USER.md' } as const;
export type CuratedTarget = keyof typeof curatedFiles;

/** In characters. The whole text is part of every system prompt, so it has to stay short. */
const limits: Record<CuratedTarget, number> = { memory: 8_000, user: 4_000 };

export type CuratedChange =
  | { action: 'add'; content: string }
  | { action: 'replace'; find: string; content: string }
  | { action: 'remove'; find: string };

export interface CuratedMemoryOptions {
  /** How long a change waits for changes of other processes. Default 10,000. */
  lockTimeoutMs?: number;
}

/** The message is shown to the model, which may then try something else. */
export class CuratedMemoryRefusal extends Error {
  override readonly name = 'CuratedMemoryRefusal';
}

/**
 * Two files of notes that people may also read and edit. Changes are atomic and are serialized across all processes that
 * use the directory. What could manipulate a model is never returned; it stays in the file.
 */
export class CuratedMemory {
  readonly #directory: string;
  readonly #lockTimeoutMs: number;
  readonly #turns = new Turns();

  constructor(directory: string, { lockTimeoutMs = 10_000 }: CuratedMemoryOptions = {}) {
    this.#directory = directory;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  async snapshot(): Promise<MemorySnapshot> {
    return (await this.inspect()).snapshot;
  }

  /** Returns what a model may see, and which notes were withheld. */
  async inspect(): Promise<{ snapshot: MemorySnapshot; withheld: readonly WithheldNote[] }> {
    const memory = screenNotes(curatedFiles.memory, await this.#read('memory'));
    const user = screenNotes(curatedFiles.user, await this.#read('user'));
    return {
      snapshot: Object.freeze({ memory: memory.text.trim(), user: user.text.trim() }),
      withheld: [...memory.withheld, ...user.withheld],
    };
  }

  /**
   * Returns the entries after the change, with placeholders for withheld ones. Rejects with CuratedMemoryRefusal if the
   * change is not possible.
   */
  change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    return this.#turns.take('', () => this.#locked(() => this.#change(target, change)));
  }

  async #change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    const file = curatedFiles[target];
    const before = await this.#read(target);
    const shown = screenNotes(file, before);
    const after = apply(before, listEntries(shown.text), change);
    if (after.length > limits[target] && after.length > before.length) {
      throw new CuratedMemoryRefusal(
        `${file} may have at most ${limits[target]} characters but would have ${after.length}. Shorten or remove an entry first.`,
      );
    }
    const result = screenNotes(file, after);
    const isWorse = change.action !== 'remove' && result.withheld.length > shown.withheld.length;
    const [first] = isWorse ? result.withheld : [];
    if (first !== undefined) throw manipulates('Together with other notes, the entry', first.category);
    if (after !== before) await writeFileAtomically(join(this.#directory, file), after);
    return listEntries(result.text);
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const directory = await openDirectory(await realpath(this.#directory));
    if (directory === undefined) throw new CuratedMemoryRefusal('The notes were removed during the change. Try again.');
    try {
      return await withDirectoryLock(directory, { waitMs: this.#lockTimeoutMs }, work);
    } catch (error) {
      if (error instanceof LockTimeout)
        throw new CuratedMemoryRefusal('Another process is changing the notes. Try again.');
      throw error;
    } finally {
      await directory.close();
    }
  }

  async #read(target: CuratedTarget): Promise<string> {
    try {
      return (await readFile(join(this.#directory, curatedFiles[target]), 'utf8')).replace(/^\uFEFF/, '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

function apply(file: string, shown: readonly string[], change: CuratedChange): string {
  if (change.action === 'remove') return replaceEntry(file, findEntry(file, shown, change.find), undefined);
  checkContent(change.content);
  if (change.action === 'replace') return replaceEntry(file, findEntry(file, shown, change.find), change.content);
  return listEntries(file).includes(change.content.trim()) ? file : addEntry(file, change.content);
}

/** Ignores withheld entries: the model must not change what it has not seen. */
function findEntry(file: string, shown: readonly string[], text: string): number {
  const entries = listEntries(file);
  const found = entries.flatMap((entry, position) =>
    text !== '' && entry === shown[position] && entry.includes(text) ? [position] : [],
  );
  const [only] = found;
  if (only === undefined) {
    const isWithheld =
      text !== '' && shown.some((entry, position) => entry !== entries[position] && entry.includes(text));
    throw new CuratedMemoryRefusal(
      isWithheld ? 'Only the user can change a withheld entry, in the file.' : 'No entry contains that text.',
    );
  }
  if (found.length > 1) throw new CuratedMemoryRefusal(`${found.length} entries contain that text. Give more of it.`);
  return only;
}

/** Rejects text that could manipulate a model, because entries become part of the system prompt. */
function checkContent(content: string): void {
  if (content.trim() === '') throw new CuratedMemoryRefusal('The entry must not be blank.');
  const fault = describeFault(content);
  if (fault !== undefined) throw new CuratedMemoryRefusal(`The entry ${fault}.`);
  const verdict = scanText(content);
  if (verdict !== undefined) throw manipulates('The entry', verdict.category);
}

function manipulates(what: string, category: string): CuratedMemoryRefusal {
  return new CuratedMemoryRefusal(`${what} looks like an attempt to manipulate a model (${category}).`);
}
