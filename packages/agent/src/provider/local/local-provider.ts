import { createHash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { redact, scanText } from '@memhall/core';
import { withDirectoryLock } from '../../files/directory-lock.js';
import { DirectoryFault, type OpenDirectory } from '../../files/open-directory.js';
import { LockTimeout } from '../../files/ticket-lock.js';
import { Turns } from '../../turns.js';
import { checkHealth } from '../check-health.js';
import { checkForgetById, checkRead, checkRecall, checkRetain, contentBlocked } from '../check-requests.js';
import { findSnippets, type LabelledText } from '../find-snippets.js';
import {
  type ForgetRequest,
  type ForgetResult,
  type HealthStatus,
  type Provider,
  type ProviderCapability,
  type ProviderOwner,
  providerSpecification,
  type ReadRequest,
  type ReadResult,
  type RecallRequest,
  type RecallResult,
  type RetainRequest,
  type RetainResult,
} from '../provider.js';
import { isProviderError, ProviderTimeout, ProviderUnavailable } from '../provider-errors.js';
import { appendText, byteLength, checkCap } from '../tier-text.js';
import { hasPlaceholder, placeholderOf, Quarantine, type QuarantineEntry, type QuarantineEvent } from './quarantine.js';
import { TierFiles } from './tier-files.js';

export interface LocalProviderOptions extends ProviderOwner {
  /** Directory of this owner, created if missing. It must not be a symbolic link or contain any. */
  root: string;
  /** How long to wait for the lock of other processes. Default 10,000. */
  lockTimeoutMs?: number;
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** Slightly less than the allowed 200 ms, to leave time for delivering the result. */
const healthMs = 150;
const { R_OK, W_OK, X_OK } = constants;

interface Held {
  root: OpenDirectory;
  quarantine: Quarantine;
}

/**
 * Memory in Markdown files. Writes are serialized across all processes that use the directory, and each write is
 * atomic. Files are read again each time, so manual edits take effect immediately.
 */
export class LocalProvider implements Provider {
  readonly specification = providerSpecification;
  readonly capabilities: readonly ProviderCapability[] = ['read', 'shared_append', 'quarantine'];
  readonly #options: LocalProviderOptions;
  readonly #files: TierFiles;
  readonly #turns = new Turns();
  readonly #now: () => number;
  /** By label, the hash of the last text that was scanned and found harmless. */
  readonly #harmless = new Map<string, string>();

  constructor(options: LocalProviderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#files = new TierFiles(options.root);
  }

  async retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult> {
    const { tier, label, mode, content } = checkRetain(this.#options, request);
    const { text } = redact(content);
    return this.#locked(signal, async (held) => {
      const before = await this.#readSafely(held, label);
      const after = mode === 'append' ? appendText(before, text) : text;
      const warning = checkCap(tier, before, after);
      // Scans the unredacted content, because a secret may be what reveals an attack, and the resulting text, because
      // harmless pieces may form a hostile text together.
      for (const scanned of new Set([content, after])) {
        const verdict = await held.quarantine.inspect(scanned);
        if (verdict !== undefined) throw contentBlocked(verdict);
      }
      signal?.throwIfAborted();
      await this.#files.write(held.root, label, after);
      return { id: label, bytes: byteLength(after), ...(warning === undefined ? {} : { warning }) };
    });
  }

  async read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    const { label } = checkRead(this.#options, request);
    const [found] = await this.#readAll(async () => [label], signal);
    const content = found?.text ?? '';
    return { id: label, content, bytes: byteLength(content) };
  }

  async recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult> {
    const { tier, query, limit } = checkRecall(this.#options, request);
    const texts = await this.#readAll((root) => this.#files.list(root, tier), signal);
    const quarantined = texts.filter(({ text }) => hasPlaceholder(text)).map(({ label }) => label);
    const hits = findSnippets(texts, query, limit);
    return quarantined.length === 0 ? { hits } : { hits, quarantined };
  }

  async forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult> {
    const place = checkForgetById('local', this.#options, request);
    if (place === undefined) return { removed: 0 };
    const { label } = place;
    return this.#locked(signal, async ({ root, quarantine }) => {
      const wasThere = await this.#files.remove(root, label);
      const kept = (await quarantine.readAll()).filter((record) => record.label === label);
      await quarantine.remove('forget', kept);
      return { removed: wasThere || kept.length > 0 ? 1 : 0 };
    });
  }

  health(signal?: AbortSignal): Promise<HealthStatus> {
    return checkHealth(healthMs, () => this.#findFault(), signal);
  }

  /** Returns the entries of withheld and released texts, without the texts themselves. */
  async listQuarantine(): Promise<QuarantineEntry[]> {
    const records = await this.#locked(undefined, ({ quarantine }) => quarantine.readAll());
    return records.map(({ text: _, ...entry }) => entry);
  }

  /** Returns the log of actions on quarantined texts, oldest first. */
  quarantineEvents(): Promise<QuarantineEvent[]> {
    return this.#locked(undefined, ({ quarantine }) => quarantine.events());
  }

  /** Returns a withheld text for an operator, or undefined. The access is logged. */
  readQuarantined(hash: string): Promise<string | undefined> {
    return this.#locked(undefined, async ({ quarantine }) => {
      const records = await quarantine.find(hash);
      await quarantine.note('read', records);
      return records[0]?.text;
    });
  }

  /**
   * Replaces the placeholder with the text and lets the text pass from now on. Returns whether there was such a text.
   */
  releaseQuarantined(hash: string): Promise<boolean> {
    return this.#locked(undefined, async ({ root, quarantine }) => {
      const records = await quarantine.find(hash);
      for (const record of records) {
        await quarantine.markReleased(record);
        const text = await this.#files.read(root, record.label);
        const restored = text.replaceAll(placeholderOf(record), () => record.text);
        if (restored !== text) await this.#files.write(root, record.label, restored);
      }
      return records.length > 0;
    });
  }

  /** Removes a text from quarantine permanently; its placeholder stays. Returns whether there was such a text. */
  deleteQuarantined(hash: string): Promise<boolean> {
    return this.#locked(undefined, async ({ quarantine }) => {
      const records = await quarantine.find(hash);
      await quarantine.remove('delete', records);
      return records.length > 0;
    });
  }

  /** Takes the lock only if a text must be moved to quarantine. Most reads do not need it. */
  async #readAll(
    list: (root: OpenDirectory) => Promise<string[]>,
    signal: AbortSignal | undefined,
  ): Promise<LabelledText[]> {
    signal?.throwIfAborted();
    const read = this.#files.inRoot(async (root) => {
      const texts: LabelledText[] = [];
      for (const label of await list(root)) texts.push({ label, text: await this.#files.read(root, label) });
      return texts;
    });
    const safe: LabelledText[] = [];
    for (const { label, text } of (await this.#typed(() => read)) ?? []) {
      signal?.throwIfAborted();
      const shown = this.#isHarmless(label, text)
        ? text
        : await this.#locked(signal, (held) => this.#readSafely(held, label));
      safe.push({ label, text: shown });
    }
    return safe;
  }

  /** Caches the result by hash, because scanning takes far longer than hashing and most texts do not change. */
  #isHarmless(label: string, text: string): boolean {
    const hash = createHash('sha256').update(text).digest('hex');
    if (this.#harmless.get(label) === hash) return true;
    if (scanText(text) !== undefined) return false;
    this.#harmless.set(label, hash);
    return true;
  }

  /**
   * Returns the text that a model may see. Hostile entries are stored in quarantine before placeholders replace them.
   */
  async #readSafely({ root, quarantine }: Held, label: string): Promise<string> {
    const found = await this.#files.readWithOrigin(root, label);
    if (found === undefined) return '';
    const text = await quarantine.takeOut(label, found);
    if (text !== found.text) await this.#files.write(root, label, text);
    return text;
  }

  #locked<T>(signal: AbortSignal | undefined, work: (held: Held) => Promise<T>): Promise<T> {
    const { lockTimeoutMs: waitMs = 10_000 } = this.#options;
    const turn = async () => {
      signal?.throwIfAborted();
      return this.#files.inMadeRoot((root) =>
        withDirectoryLock(root, { waitMs, signal }, (home) =>
          work({ root, quarantine: new Quarantine(home, this.#options, this.#now) }),
        ),
      );
    };
    return this.#typed(() => this.#turns.take('', turn), signal);
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

  async #findFault(): Promise<string | undefined> {
    try {
      const isThere = await this.#files.inRoot(async () => true);
      await access(isThere ? this.#options.root : await nearestParent(this.#options.root), R_OK | W_OK | X_OK);
      return undefined;
    } catch (error) {
      if (error instanceof DirectoryFault) return 'the root is not a directory or is a symbolic link';
      return `the root cannot be used (${(error as NodeJS.ErrnoException).code})`;
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
