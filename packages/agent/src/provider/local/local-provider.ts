import { resolve } from 'node:path';
import { redact, type Tier, tiers } from '@memhall/core';
import { checkHealth } from '../check-health.js';
import { checkForgetById, checkRead, checkRecall, checkRetain, contentBlocked } from '../check-requests.js';
import { findSnippets } from '../find-snippets.js';
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
import { appendText, byteLength, checkCap } from '../tier-text.js';
import { LocalDirectory } from './local-directory.js';
import { hasPlaceholder, placeholderOf, type QuarantineEntry, type QuarantineEvent } from './quarantine.js';

export interface LocalProviderOptions extends ProviderOwner {
  /** Directory of this owner, created if missing. It must not be a symbolic link or contain any. */
  root: string;
  /**
   * Directory of the crew, which has CREW.md. All agents of a crew use the same one. Without it, CREW.md is in `root`, and
   * shared by the agents that share `root`.
   */
  crewRoot?: string | undefined;
  /** How long to wait for the lock of other processes. Default 10,000. */
  lockTimeoutMs?: number;
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** Slightly less than the allowed 200 ms, to leave time for delivering the result. */
const healthMs = 150;

/**
 * Memory in Markdown files. Writes are serialized across all processes that use the directory, and each write is
 * atomic. Files are read again each time, so manual edits take effect immediately.
 */
export class LocalProvider implements Provider {
  readonly specification = providerSpecification;
  readonly capabilities: readonly ProviderCapability[];
  readonly #owner: ProviderOwner;
  readonly #own: LocalDirectory;
  /** The same as `#own` if the crew has no directory. */
  readonly #crew: LocalDirectory;

  constructor({ root, crewRoot, lockTimeoutMs = 10_000, now = Date.now, ...owner }: LocalProviderOptions) {
    const isApart = crewRoot !== undefined && resolve(crewRoot) !== resolve(root);
    this.#owner = owner;
    this.#own = new LocalDirectory({ ...owner, root, lockTimeoutMs, now });
    this.#crew = isApart ? new LocalDirectory({ ...owner, root: crewRoot, lockTimeoutMs, now }) : this.#own;
    this.capabilities = ['read', 'shared_append', 'quarantine', ...(isApart ? ['shared_crew' as const] : [])];
  }

  async retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult> {
    const { tier, label, mode, content } = checkRetain(this.#owner, request);
    const { text } = redact(content);
    const directory = this.#of(tier);
    return directory.locked(signal, async (held) => {
      const before = await directory.readSafely(held, label);
      const after = mode === 'append' ? appendText(before, text) : text;
      const warning = checkCap(tier, before, after);
      // Scans the unredacted content, because a secret may be what reveals an attack, and the resulting text, because
      // harmless pieces may form a hostile text together.
      for (const scanned of new Set([content, after])) {
        const verdict = await held.quarantine.inspect(scanned);
        if (verdict !== undefined) throw contentBlocked(verdict);
      }
      signal?.throwIfAborted();
      await directory.files.write(held.root, label, after);
      return { id: label, bytes: byteLength(after), ...(warning === undefined ? {} : { warning }) };
    });
  }

  async read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    const { tier, label } = checkRead(this.#owner, request);
    const [found] = await this.#of(tier).readAll(async () => [label], signal);
    const content = found?.text ?? '';
    return { id: label, content, bytes: byteLength(content) };
  }

  async recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult> {
    const { tier, query, limit } = checkRecall(this.#owner, request);
    const wanted = tier === undefined ? tiers : [tier];
    const found = await Promise.all(
      this.#directories.map((directory) =>
        directory.readTiers(
          wanted.filter((one) => this.#of(one) === directory),
          signal,
        ),
      ),
    );
    const texts = found.flat();
    const quarantined = texts.filter(({ text }) => hasPlaceholder(text)).map(({ label }) => label);
    const hits = findSnippets(texts, query, limit);
    return quarantined.length === 0 ? { hits } : { hits, quarantined };
  }

  async forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult> {
    const place = checkForgetById('local', this.#owner, request);
    if (place === undefined) return { removed: 0 };
    const { label } = place;
    const directory = this.#of(place.tier);
    return directory.locked(signal, async ({ root, quarantine }) => {
      const wasThere = await directory.files.remove(root, label);
      const kept = (await quarantine.readAll()).filter((record) => record.label === label);
      await quarantine.remove('forget', kept);
      return { removed: wasThere || kept.length > 0 ? 1 : 0 };
    });
  }

  health(signal?: AbortSignal): Promise<HealthStatus> {
    const find = async () => {
      const faults = await Promise.all(this.#directories.map((directory) => directory.findFault()));
      return faults.find((fault) => fault !== undefined);
    };
    return checkHealth(healthMs, find, signal);
  }

  /** Returns the entries of withheld and released texts, without the texts themselves. */
  async listQuarantine(): Promise<QuarantineEntry[]> {
    const records = await this.#inEach((directory) =>
      directory.locked(undefined, ({ quarantine }) => quarantine.readAll()),
    );
    return records.flat().map(({ text: _, ...entry }) => entry);
  }

  /** Returns the log of actions on quarantined texts, oldest first within each directory. */
  async quarantineEvents(): Promise<QuarantineEvent[]> {
    return (
      await this.#inEach((directory) => directory.locked(undefined, ({ quarantine }) => quarantine.events()))
    ).flat();
  }

  /** Returns a withheld text for an operator, or undefined. The access is logged. */
  async readQuarantined(hash: string): Promise<string | undefined> {
    const texts = await this.#inEach((directory) =>
      directory.locked(undefined, async ({ quarantine }) => {
        const records = await quarantine.find(hash);
        if (records.length > 0) await quarantine.note('read', records);
        return records[0]?.text;
      }),
    );
    return texts.find((text) => text !== undefined);
  }

  /**
   * Replaces the placeholder with the text and lets the text pass from now on. Returns whether there was such a text.
   */
  async releaseQuarantined(hash: string): Promise<boolean> {
    const released = await this.#inEach((directory) =>
      directory.locked(undefined, async ({ root, quarantine }) => {
        const records = await quarantine.find(hash);
        for (const record of records) {
          await quarantine.markReleased(record);
          const text = await directory.files.read(root, record.label);
          const restored = text.replaceAll(placeholderOf(record), () => record.text);
          if (restored !== text) await directory.files.write(root, record.label, restored);
        }
        return records.length > 0;
      }),
    );
    return released.includes(true);
  }

  /** Removes a text from quarantine permanently; its placeholder stays. Returns whether there was such a text. */
  async deleteQuarantined(hash: string): Promise<boolean> {
    const deleted = await this.#inEach((directory) =>
      directory.locked(undefined, async ({ quarantine }) => {
        const records = await quarantine.find(hash);
        await quarantine.remove('delete', records);
        return records.length > 0;
      }),
    );
    return deleted.includes(true);
  }

  get #directories(): LocalDirectory[] {
    return [...new Set([this.#own, this.#crew])];
  }

  /** CREW belongs to the crew, everything else to the agent. */
  #of(tier: Tier): LocalDirectory {
    return tier === 'CREW' ? this.#crew : this.#own;
  }

  /** Runs work in one directory after the other, so that no two locks are held at once. */
  async #inEach<T>(work: (directory: LocalDirectory) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const directory of this.#directories) results.push(await work(directory));
    return results;
  }
}
