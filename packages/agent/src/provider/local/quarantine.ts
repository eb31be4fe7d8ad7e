import { createHash } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { type ScanVerdict, scanText } from '@memhall/core';
import { syncDirectory, writeFileAtomically } from '../../files/write-file-atomically.js';
import { makeDirectory, type OpenDirectory } from './open-directory.js';

/** What may be told about a text that is withheld. */
export interface QuarantineEntry {
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** Where it came from. */
  label: string;
  category: string;
  rule: string;
  /** RFC 3339 */
  at: string;
  /** An operator let it through: it is shown again wherever it stands. */
  isReleased: boolean;
}

export interface QuarantinedText extends QuarantineEntry {
  text: string;
}

const fileName = /^[0-9a-f]{64}-[^/]+\.json$/;
const folder = 'quarantine';

export function placeholderOf({ hash, category }: Pick<QuarantineEntry, 'hash' | 'category'>): string {
  return `[BLOCKED: ${category}, kept in quarantine as ${hash}]`;
}

const placeholder = /^\[BLOCKED: [a-z0-9_]+, kept in quarantine as [0-9a-f]{64}\]$/m;

export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

/** With the same lines, so that their numbers stay. */
export function withoutPlaceholders(text: string): string {
  return text.replace(new RegExp(placeholder, 'gm'), '');
}

/** Records of texts that must not reach a model, in files of their own. Each call opens what it needs and holds nothing. */
export class Quarantine {
  readonly #home: OpenDirectory;

  constructor(home: OpenDirectory) {
    this.#home = home;
  }

  /** Why a text must be withheld, whatever in it was released left out of account. */
  async inspect(text: string): Promise<ScanVerdict | undefined> {
    const verdict = scanText(text);
    if (verdict === undefined) return undefined;
    const released = (await this.readAll()).filter(({ isReleased, text: known }) => isReleased && text.includes(known));
    if (released.length === 0) return verdict;
    return scanText(released.reduce((rest, { text: known }) => rest.replaceAll(known, '\n'), text));
  }

  async keep(label: string, text: string, { category, rule }: ScanVerdict, at: string): Promise<QuarantineEntry> {
    const hash = createHash('sha256').update(text).digest('hex');
    const entry = { hash, label, category, rule, at, isReleased: false };
    await this.#write({ ...entry, text });
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
    await this.#write({ ...record, isReleased: true });
  }

  async remove(records: readonly QuarantineEntry[]): Promise<void> {
    if (records.length === 0) return;
    await this.#inside(async (directory) => {
      for (const record of records) await unlink(directory.pathOf(nameOf(record)));
      await syncDirectory(directory.pathOf('.'));
    });
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
