import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFault, scanText } from '@memhall/core';
import { writeFileAtomically } from '../files/write-file-atomically.js';
import { Turns } from '../turns.js';
import { addEntry, listEntries, replaceEntry } from './curated-entries.js';
import type { MemorySnapshot } from './memory-backend.js';

export const curatedFiles = { memory: 'MEMORY.md', user: 'USER.md' } as const;
export type CuratedTarget = keyof typeof curatedFiles;

/** In characters. The whole text is part of every system prompt, so it has to stay short. */
const limits: Record<CuratedTarget, number> = { memory: 8_000, user: 4_000 };

export type CuratedChange =
  | { action: 'add'; content: string }
  | { action: 'replace'; find: string; content: string }
  | { action: 'remove'; find: string };

/** The message is shown to the model, which may then try something else. */
export class CuratedMemoryRefusal extends Error {
  override readonly name = 'CuratedMemoryRefusal';
}

/** Two files of notes that people may also read and edit. Changes to a file are serialized and atomic. */
export class CuratedMemory {
  readonly #directory: string;
  readonly #turns = new Turns();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async snapshot(): Promise<MemorySnapshot> {
    return Object.freeze({ memory: (await this.#read('memory')).trim(), user: (await this.#read('user')).trim() });
  }

  /** Returns the entries after the change. Rejects with CuratedMemoryRefusal if the change is not possible. */
  change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    return this.#turns.take(target, () => this.#change(target, change));
  }

  async #change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    const before = await this.#read(target);
    const after = apply(before, change);
    if (after.length > limits[target] && after.length > before.length) {
      throw new CuratedMemoryRefusal(
        `${curatedFiles[target]} may have at most ${limits[target]} characters but would have ${after.length}. Shorten or remove an entry first.`,
      );
    }
    if (after !== before) await writeFileAtomically(this.#path(target), after);
    return listEntries(after);
  }

  async #read(target: CuratedTarget): Promise<string> {
    try {
      return (await readFile(this.#path(target), 'utf8')).replace(/^\uFEFF/, '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  #path(target: CuratedTarget): string {
    return join(this.#directory, curatedFiles[target]);
  }
}

function apply(file: string, change: CuratedChange): string {
  if (change.action === 'remove') return replaceEntry(file, findEntry(file, change.find), undefined);
  checkContent(change.content);
  if (change.action === 'replace') return replaceEntry(file, findEntry(file, change.find), change.content);
  return listEntries(file).includes(change.content.trim()) ? file : addEntry(file, change.content);
}

function findEntry(file: string, text: string): number {
  const entries = listEntries(file);
  const found = entries.flatMap((entry, position) => (text !== '' && entry.includes(text) ? [position] : []));
  const [only] = found;
  if (only === undefined) throw new CuratedMemoryRefusal('No entry contains that text.');
  if (found.length > 1) throw new CuratedMemoryRefusal(`${found.length} entries contain that text. Give more of it.`);
  return only;
}

/** Rejects text that could manipulate a model, because entries become part of the system prompt. */
function checkContent(content: string): void {
  if (content.trim() === '') throw new CuratedMemoryRefusal('The entry must not be blank.');
  const fault = describeFault(content);
  if (fault !== undefined) throw new CuratedMemoryRefusal(`The entry ${fault}.`);
  const verdict = scanText(content);
  if (verdict !== undefined) {
    throw new CuratedMemoryRefusal(`The entry looks like an attempt to manipulate a model (${verdict.category}).`);
  }
}
