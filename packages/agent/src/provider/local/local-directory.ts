import { createHash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { scanText, type Tier } from '@memhall/core';
import { withDirectoryLock } from '../../files/directory-lock.js';
import { DirectoryFault, type OpenDirectory } from '../../files/open-directory.js';
import { LockTimeout } from '../../files/ticket-lock.js';
import { Turns } from '../../turns.js';
import type { LabelledText } from '../find-snippets.js';
import type { ProviderOwner } from '../provider.js';
import { isProviderError, ProviderTimeout, ProviderUnavailable } from '../provider-errors.js';
import { Quarantine } from './quarantine.js';
import { TierFiles } from './tier-files.js';

const { R_OK, W_OK, X_OK } = constants;

interface LocalDirectoryOptions extends ProviderOwner {
  root: string;
  lockTimeoutMs: number;
  /** Unix time in milliseconds. */
  now: () => number;
}

/** The directory while its lock is held. */
interface HeldDirectory {
  root: OpenDirectory;
  quarantine: Quarantine;
}

/** A directory of Markdown files, one per text, with its lock and its quarantine. */
export class LocalDirectory {
  readonly files: TierFiles;
  readonly #options: LocalDirectoryOptions;
  readonly #turns = new Turns();
  /** By label, the hash of the last text that was scanned and found harmless. */
  readonly #harmless = new Map<string, string>();

  constructor(options: LocalDirectoryOptions) {
    this.#options = options;
    this.files = new TierFiles(options.root);
  }

  /** Returns the texts of these tiers that a model may see, including empty ones. */
  readTiers(wanted: readonly Tier[], signal: AbortSignal | undefined): Promise<LabelledText[]> {
    return this.readAll((root) => this.files.list(root, wanted), signal);
  }

  /** Takes the lock only if an entry must be moved to quarantine. Most reads do not need it. */
  async readAll(
    list: (root: OpenDirectory) => Promise<string[]>,
    signal: AbortSignal | undefined,
  ): Promise<LabelledText[]> {
    signal?.throwIfAborted();
    const read = this.files.inRoot(async (root) => {
      const texts: LabelledText[] = [];
      for (const label of await list(root)) texts.push({ label, text: await this.files.read(root, label) });
      return texts;
    });
    const safe: LabelledText[] = [];
    for (const { label, text } of (await this.#typed(() => read)) ?? []) {
      signal?.throwIfAborted();
      const shown = this.#isHarmless(label, text)
        ? text
        : await this.locked(signal, (held) => this.readSafely(held, label));
      safe.push({ label, text: shown });
    }
    return safe;
  }

  /**
   * Returns the text that a model may see. Hostile entries are stored in quarantine before placeholders replace them.
   */
  async readSafely({ root, quarantine }: HeldDirectory, label: string): Promise<string> {
    const found = await this.files.readWithOrigin(root, label);
    if (found === undefined) return '';
    const text = await quarantine.takeOut(label, found);
    if (text !== found.text) await this.files.write(root, label, text);
    return text;
  }

  /** Runs work while no other process writes to the directory. Creates the directory. */
  locked<T>(signal: AbortSignal | undefined, work: (held: HeldDirectory) => Promise<T>): Promise<T> {
    const { lockTimeoutMs: waitMs, now } = this.#options;
    const turn = async () => {
      signal?.throwIfAborted();
      return this.files.inMadeRoot((root) =>
        withDirectoryLock(root, { waitMs, signal }, (home) =>
          work({ root, quarantine: new Quarantine(home, this.#options, now) }),
        ),
      );
    };
    return this.#typed(() => this.#turns.take('', turn), signal);
  }

  /** Returns why the directory cannot be used, or undefined. */
  async findFault(): Promise<string | undefined> {
    const { root } = this.#options;
    try {
      const isThere = await this.files.inRoot(async () => true);
      await access(isThere ? root : await nearestParent(root), R_OK | W_OK | X_OK);
      return undefined;
    } catch (error) {
      if (error instanceof DirectoryFault) return 'the root is not a directory or is a symbolic link';
      return `the root cannot be used (${(error as NodeJS.ErrnoException).code})`;
    }
  }

  /** Caches the result by hash, because scanning takes far longer than hashing and most texts do not change. */
  #isHarmless(label: string, text: string): boolean {
    const hash = createHash('sha256').update(text).digest('hex');
    if (this.#harmless.get(label) === hash) return true;
    if (scanText(text) !== undefined) return false;
    this.#harmless.set(label, hash);
    return true;
  }

  /** Replaces file system errors, because their messages contain paths. */
  async #typed<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (isProviderError(error)) throw error;
      if (error instanceof LockTimeout) throw new ProviderTimeout(error.message);
      if (error instanceof DirectoryFault) throw new ProviderUnavailable(error.message);
      const { code = 'internal error' } = error as NodeJS.ErrnoException;
      throw new ProviderUnavailable(`The memory files cannot be used (${code}).`);
    }
  }
}

/**
 * Returns the nearest existing parent. The root is created with the first text; until then its creation must be
 * possible.
 */
async function nearestParent(path: string): Promise<string> {
  const parent = dirname(path);
  return access(parent).then(
    () => parent,
    (error) => (parent === path ? Promise.reject(error) : nearestParent(parent)),
  );
}
