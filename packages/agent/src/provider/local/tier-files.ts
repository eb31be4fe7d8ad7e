import { constants } from 'node:fs';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { findKeyFault, type Tier, toTierLabel } from '@memhall/core';
import { makeDirectory, type OpenDirectory, openDirectory, refuseLink } from '../../files/open-directory.js';
import { syncDirectory, writeFileAtomically } from '../../files/write-file-atomically.js';
import { ProviderUnavailable } from '../provider-errors.js';
import { accountOf } from './account.js';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** People may put any file there. Files larger than any tier are not read. */
const maxFileBytes = 4 * 1024 * 1024;
const draft = /\.[0-9a-f-]{36}\.new$/;

/** The known origin of a text. */
export interface TextOrigin {
  /** Operating system account that owns the file. */
  account: string;
  /** When the file was last changed, RFC 3339. */
  changedAt: string;
}

export interface FileText {
  text: string;
  origin: TextOrigin;
}

/**
 * The directory of one owner, with one file per label. People may read and edit the files as well. Never follows links.
 */
export class TierFiles {
  readonly #root: string;
  readonly #swept = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Runs work with the root open. Returns undefined if there is no root. */
  async inRoot<T>(work: (root: OpenDirectory) => Promise<T>): Promise<T | undefined> {
    return using(await openDirectory(this.#root), work);
  }

  async inMadeRoot<T>(work: (root: OpenDirectory) => Promise<T>): Promise<T> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const root = await openDirectory(this.#root);
    if (root === undefined) throw new ProviderUnavailable('The memory directory cannot be created.');
    return using(root, work) as Promise<T>;
  }

  /** Returns an empty string if there is no such file. */
  async read(root: OpenDirectory, label: string): Promise<string> {
    return (await this.readWithOrigin(root, label))?.text ?? '';
  }

  readWithOrigin(root: OpenDirectory, label: string): Promise<FileText | undefined> {
    const [folder, name] = split(label);
    return within(root, folder, (directory) => readText(directory.pathOf(name)));
  }

  /** Requires the lock. Existing drafts then belong to dead writers and are removed. */
  async write(root: OpenDirectory, label: string, text: string): Promise<void> {
    const [folder, name] = split(label);
    const directory = folder === undefined ? root : await makeDirectory(root, folder);
    try {
      await this.#sweep(directory, folder ?? '');
      await writeFileAtomically(directory.pathOf(name), text);
    } finally {
      if (directory !== root) await directory.close();
    }
  }

  /** Returns whether the file existed. */
  async remove(root: OpenDirectory, label: string): Promise<boolean> {
    const [folder, name] = split(label);
    const removed = await within(root, folder, async (directory) => {
      try {
        await unlink(directory.pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
      await syncDirectory(directory.pathOf('.'));
      return true;
    });
    return removed ?? false;
  }

  /**
   * Returns the labels to read. Files with other names are ignored; single-text tiers are listed even if they have no
   * file.
   */
  async list(root: OpenDirectory, wanted: readonly Tier[]): Promise<string[]> {
    const labels: string[] = [];
    for (const tier of wanted) {
      if (tier !== 'daily' && tier !== 'peers') labels.push(toTierLabel(tier, undefined));
      else labels.push(...(await this.#listFolder(root, tier)));
    }
    return labels;
  }

  async #listFolder(root: OpenDirectory, tier: 'daily' | 'peers'): Promise<string[]> {
    const names = await within(root, tier, (directory) => readdir(directory.pathOf('.')));
    return (names ?? []).flatMap((name) => {
      const key = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
      return findKeyFault(tier, key) === undefined ? [toTierLabel(tier, key)] : [];
    });
  }

  async #sweep(directory: OpenDirectory, folder: string): Promise<void> {
    if (this.#swept.has(folder)) return;
    const names = await readdir(directory.pathOf('.'));
    for (const name of names.filter((one) => draft.test(one))) await unlink(directory.pathOf(name));
    this.#swept.add(folder);
  }
}

async function within<T>(
  root: OpenDirectory,
  folder: string | undefined,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T | undefined> {
  return folder === undefined ? work(root) : using(await openDirectory(root.pathOf(folder)), work);
}

async function using<T>(
  directory: OpenDirectory | undefined,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T | undefined> {
  if (directory === undefined) return undefined;
  try {
    return await work(directory);
  } finally {
    await directory.close();
  }
}

/** `daily/2026-05-21.md` → `daily` and `2026-05-21.md`. */
function split(label: string): [folder: string | undefined, name: string] {
  const slash = label.indexOf('/');
  return slash < 0 ? [undefined, label] : [label.slice(0, slash), label.slice(slash + 1)];
}

/** Opens without blocking, because opening a pipe without a writer would block forever. */
async function readText(path: string): Promise<FileText | undefined> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'ELOOP' || error.code === 'ENXIO') throw refuseLink();
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size, uid, mtime } = await file
      .stat()
      .then((found) => (found.isFile() ? found : Promise.reject(refuseLink())));
    if (size > maxFileBytes) throw new ProviderUnavailable('A memory file is too large to read.');
    const text = (await file.readFile('utf8')).replace(/^\uFEFF/, '').toWellFormed();
    return { text, origin: { account: accountOf(uid), changedAt: mtime.toISOString() } };
  } finally {
    await file.close();
  }
}
