import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFault, scanText } from '@memhall/core';
import { writeFileAtomically } from '../files/write-file-atomically.js';
import { Turns } from '../turns.js';
import { addEntry, listEntries, replaceEntry } from './curated-entries.js';
import type { MemorySnapshot } from './memory-backend.js';

export const curatedFiles = { memory: 'MEMORY.md', user: 'USER.md' } as const;
export type CuratedTarget = keyof typeof curatedFiles;

/** In characters. All of it is in every system prompt, so it has to stay short. */
const limits: Record<CuratedTarget, number> = { memory: 8_000, user: 4_000 };

export type CuratedChange =
  | { action: 'add'; content: string }
  | { action: 'replace'; find: string; content: string }
  | { action: 'remove'; find: string };

/** Said to the model, which may then do it otherwise. */
export class CuratedMemoryRefusal extends Error {
  override readonly name = 'CuratedMemoryRefusal';
}

/** Two files of notes that people may read and edit as well. Changes made here take turns, each whole or not at all. */
export class CuratedMemory {
  readonly #directory: string;
  readonly #turns = new Turns();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async snapshot(): Promise<MemorySnapshot> {
    return Object.freeze({ memory: (await this.#read('memory')).trim(), user: (await this.#read('user')).trim() });
  }

  /** Answers with the entries there are now. Rejects with CuratedMemoryRefusal when the change makes no sense. */
  change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    return this.#turns.take(target, () => this.#change(target, change));
  }

  async #change(target: CuratedTarget, change: CuratedChange): Promise<string[]> {
    const before = await this.#read(target);
    const after = apply(before, change);
    if (after.length > limits[target] && after.length > before.length) {
      throw new CuratedMemoryRefusal(
        `${curatedFiles[target]} may have ${limits[target]} characters and would have ${after.length}. Shorten or remove an entry first.`,
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

/** Entries become part of the system prompt: what would steer a model from there is refused. */
function checkContent(content: string): void {
  if (content.trim() === '') throw new CuratedMemoryRefusal('An entry needs text.');
  const fault = describeFault(content);
  if (fault !== undefined) throw new CuratedMemoryRefusal(`The entry ${fault}.`);
  const verdict = scanText(content);
  if (verdict !== undefined) {
    throw new CuratedMemoryRefusal(`The entry reads like an attempt to steer a model (${verdict.category}).`);
  }
}
