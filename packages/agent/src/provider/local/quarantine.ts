import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, readFile, unlink } from 'node:fs/promises';
import {
  findHostileParts,
  type HostilePart,
  replaceParts,
  type ScanVerdict,
  scanText,
  splitEntries,
} from '@memhall/core';
import { makeDirectory, type OpenDirectory } from '../../files/open-directory.js';
import { syncDirectory, writeFileAtomically } from '../../files/write-file-atomically.js';
import type { ProviderOwner } from '../provider.js';
import { ownAccount } from './account.js';
import type { FileText, TextOrigin } from './tier-files.js';

/** The description of a withheld text and its owner, without the text itself. */
export interface QuarantineEntry extends ProviderOwner {
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** Label of the file in which it was found. */
  label: string;
  origin: TextOrigin;
  category: string;
  rule: string;
  /** RFC 3339 */
  at: string;
  /** An operator released the text: it is shown again wherever it occurs. */
  isReleased: boolean;
}

export interface QuarantinedText extends QuarantineEntry {
  text: string;
}

/** An action on a quarantined text, without the text itself. */
export interface QuarantineEvent extends Omit<QuarantineEntry, 'isReleased'> {
  action: 'add' | 'read' | 'release' | 'delete' | 'forget';
  /** The operating system account that performed the action. */
  by: string;
}

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
const logName = 'log.jsonl';
const fileName = /^[0-9a-f]{64}-[^/]+\.json$/;
const folder = 'quarantine';

export function placeholderOf({ hash, category }: Pick<QuarantineEntry, 'hash' | 'category'>): string {
  return `[BLOCKED: ${category}, kept in quarantine as ${hash}]`;
}

const placeholder = /^\[BLOCKED: [a-z0-9_]+, kept in quarantine as [0-9a-f]{64}\]$/m;

export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

/** Stores texts that must not reach a model in separate files. Every call opens and closes the files it needs. */
export class Quarantine {
  readonly #home: OpenDirectory;
  readonly #owner: ProviderOwner;
  readonly #now: () => number;

  constructor(home: OpenDirectory, { workspaceId, agentId, crewId }: ProviderOwner, now: () => number) {
    this.#home = home;
    this.#owner = { workspaceId, agentId, crewId };
    this.#now = now;
  }

  /** Returns why a text must be withheld, ignoring parts that were released, or undefined. */
  async inspect(text: string): Promise<ScanVerdict | undefined> {
    const verdict = scanText(text);
    if (verdict === undefined) return undefined;
    const released = (await this.readAll()).filter(({ isReleased, text: known }) => isReleased && text.includes(known));
    if (released.length === 0) return verdict;
    return scanText(released.reduce((rest, { text: known }) => rest.replaceAll(known, '\n'), text));
  }

  /** Stores the hostile entries of a text and returns the text with placeholders in their place. */
  async takeOut(label: string, { text, origin }: FileText): Promise<string> {
    if (scanText(text) === undefined) return text;
    const released = (await this.readAll()).filter(({ isReleased }) => isReleased).map((record) => record.text);
    const entries = splitEntries(text);
    const isClean = (one: string) => findHostileParts(splitEntries(one), released).length === 0;
    const takeParts = async (parts: readonly HostilePart[]) => {
      const kept = new Map<HostilePart, QuarantineEntry>();
      for (const part of parts) {
        const taken = entries.slice(part.from, part.to).join('\n');
        kept.set(part, await this.#keep(label, { text: taken, origin }, part));
      }
      return replaceParts(entries, parts, (part) => placeholderOf(kept.get(part) as QuarantineEntry)).join('\n');
    };
    const parts = findHostileParts(entries, released);
    const [first] = parts;
    const shown = await takeParts(parts);
    return first === undefined || isClean(shown) ? shown : takeParts([{ ...first, from: 0, to: entries.length }]);
  }

  async #keep(
    label: string,
    { text, origin }: FileText,
    { category, rule }: Pick<ScanVerdict, 'category' | 'rule'>,
  ): Promise<QuarantineEntry> {
    const hash = createHash('sha256').update(text).digest('hex');
    const entry = { ...this.#owner, hash, label, origin, category, rule, at: this.#moment(), isReleased: false };
    await this.#write({ ...entry, text });
    await this.note('add', [entry]);
    return entry;
  }

  async readAll(): Promise<QuarantinedText[]> {
    return this.#inside(async (directory) => {
      const names = (await readdir(directory.pathOf('.'))).filter((name) => fileName.test(name)).sort();
      return Promise.all(
        names.map(async (name) => JSON.parse(await readFile(directory.pathOf(name), 'utf8')) as QuarantinedText),
      );
    });
  }

  async find(hash: string): Promise<QuarantinedText[]> {
    return (await this.readAll()).filter((record) => record.hash === hash);
  }

  async markReleased(record: QuarantinedText): Promise<void> {
    await this.note('release', [record]);
    await this.#write({ ...record, isReleased: true });
  }

  /** Logs an action on these texts. Called before an action that cannot be undone. */
  async note(action: QuarantineEvent['action'], records: readonly QuarantineEntry[]): Promise<void> {
    const done = { at: this.#moment(), action, by: ownAccount() };
    const lines = records.map(({ workspaceId, agentId, crewId, hash, label, origin, category, rule }) => {
      const event: QuarantineEvent = {
        ...done,
        ...{ workspaceId, agentId, crewId },
        ...{ hash, label, origin, category, rule },
      };
      return `${JSON.stringify(event)}\n`;
    });
    await this.#inside(async (directory) => {
      const file = await open(directory.pathOf(logName), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
      try {
        await file.write(lines.join(''));
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  /** Oldest first. */
  async events(): Promise<QuarantineEvent[]> {
    return this.#inside(async (directory) => {
      const text = await readFile(directory.pathOf(logName), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').flatMap(parseEvent);
    });
  }

  async remove(action: 'delete' | 'forget', records: readonly QuarantineEntry[]): Promise<void> {
    if (records.length === 0) return;
    await this.note(action, records);
    await this.#inside(async (directory) => {
      for (const record of records) await unlink(directory.pathOf(nameOf(record)));
      await syncDirectory(directory.pathOf('.'));
    });
  }

  #moment(): string {
    return new Date(this.#now()).toISOString();
  }

  #write(record: QuarantinedText): Promise<void> {
    return this.#inside((directory) =>
      writeFileAtomically(directory.pathOf(nameOf(record)), `${JSON.stringify(record)}\n`),
    );
  }

  async #inside<T>(work: (directory: OpenDirectory) => Promise<T>): Promise<T> {
    const directory = await makeDirectory(this.#home, folder);
    try {
      return await work(directory);
    } finally {
      await directory.close();
    }
  }
}

function nameOf({ hash, label }: Pick<QuarantineEntry, 'hash' | 'label'>): string {
  return `${hash}-${label.replace('/', '~').replace(/\.md$/, '')}.json`;
}

/** Skips a line that is incomplete because of a crash. */
function parseEvent(line: string): QuarantineEvent[] {
  try {
    return [JSON.parse(line) as QuarantineEvent];
  } catch {
    return [];
  }
}
