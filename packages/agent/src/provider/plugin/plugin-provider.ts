import { findHostileParts, redact, replaceParts, scanText, splitEntries } from '@memhall/core';
import { SecretText } from '../../configuration/secret-text.js';
import { Turns } from '../../turns.js';
import { checkHealth } from '../check-health.js';
import { checkForgetById, checkRead, checkRecall, checkRetain, contentBlocked } from '../check-requests.js';
import { findSnippets } from '../find-snippets.js';
import { JsonConnection } from '../http/json-connection.js';
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
import { namespacesOf, toPluginPlace } from './plugin-place.js';
import { PluginShelf } from './plugin-shelf.js';

export interface PluginProviderOptions extends ProviderOwner {
  /** URL of a memory plugin v1 service: `http://…`, `https://…` or `unix:/path/to/socket`. */
  url: string;
  /** Set if the plugin requires one. */
  token?: string | SecretText | undefined;
  /** Timeout of a single call. Default 10,000. */
  timeoutMs?: number;
}

const healthMs = 950;

/**
 * Memory in any memory plugin v1. The plugin has no conditional writes, so two processes that append concurrently may
 * lose a line: `shared_append` is not declared. Entries that must not reach a model stay in the plugin and are withheld
 * on every read.
 */
export class PluginProvider implements Provider {
  readonly specification = providerSpecification;
  readonly capabilities: readonly ProviderCapability[] = ['read', 'shared_crew'];
  readonly #owner: ProviderOwner;
  readonly #connection: JsonConnection;
  readonly #shelf: PluginShelf;
  readonly #turns = new Turns();

  constructor({ url, token, timeoutMs = 10_000, ...owner }: PluginProviderOptions) {
    const secret = typeof token === 'string' ? new SecretText(token) : token;
    this.#owner = owner;
    this.#connection = new JsonConnection({ url, token: secret, timeoutMs });
    this.#shelf = new PluginShelf(owner, this.#connection);
  }

  async retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult> {
    const { mode, content, ...place } = checkRetain(this.#owner, request);
    refuseHostile(content);
    const { text } = redact(content);
    const at = toPluginPlace(this.#owner, place);
    return this.#turns.take(place.label, async () => {
      const before = await this.#shelf.read(at, signal);
      const after = mode === 'append' ? appendText(before, text) : text;
      const warning = checkCap(place.tier, before, after);
      // Harmless pieces may form a hostile text together.
      refuseHostile(after);
      await this.#shelf.write(at, { label: place.label, text: after }, signal);
      return { id: place.label, bytes: byteLength(after), ...(warning === undefined ? {} : { warning }) };
    });
  }

  async read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    const place = checkRead(this.#owner, request);
    const text = await this.#shelf.read(toPluginPlace(this.#owner, place), signal);
    const { content } = show(text);
    return { id: place.label, content, bytes: byteLength(content) };
  }

  async recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult> {
    const { tier, query, limit } = checkRecall(this.#owner, request);
    const found = await this.#shelf.find(namespacesOf(this.#owner, tier), query, signal);
    const texts = found.filter(
      ({ label }) => tier === undefined || label === `${tier}.md` || label.startsWith(`${tier}/`),
    );
    const screened = texts.map(({ label, text }) => ({ label, ...show(text) }));
    const quarantined = screened.filter(({ isWithheld }) => isWithheld).map(({ label }) => label);
    const shown = screened.map(({ label, content }) => ({ label, text: content }));
    const hits = findSnippets(shown, query, limit);
    return quarantined.length === 0 ? { hits } : { hits, quarantined };
  }

  async forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult> {
    const place = checkForgetById('plugin', this.#owner, request);
    if (place === undefined) return { removed: 0 };
    return this.#turns.take(place.label, async () => {
      const isRemoved = await this.#shelf.remove(toPluginPlace(this.#owner, place), signal);
      return { removed: isRemoved ? 1 : 0 };
    });
  }

  health(signal?: AbortSignal): Promise<HealthStatus> {
    const check = async (ended: AbortSignal) => {
      const { status, body } = await this.#connection.call('GET', '/v1/health', undefined, ended);
      const { status: reported } = (body ?? {}) as { status?: unknown };
      if (status === 200 && reported === 'ok') return undefined;
      return reported === 'degraded' ? 'the plugin is degraded' : `the plugin responded with status ${status}`;
    };
    return checkHealth(healthMs, check, signal);
  }

  /** Closes idle connections. The provider can still be used afterwards. */
  close(): void {
    this.#connection.close();
  }
}

/** Replaces the hostile entries of a text. They stay in the plugin, which has no other place for them. */
function show(text: string): { content: string; isWithheld: boolean } {
  const entries = splitEntries(text);
  const parts = findHostileParts(entries);
  if (parts.length === 0) return { content: text, isWithheld: false };
  return {
    content: replaceParts(entries, parts, ({ category }) => `[BLOCKED: ${category}]`).join('\n'),
    isWithheld: true,
  };
}

function refuseHostile(text: string): void {
  const verdict = scanText(text);
  if (verdict !== undefined) throw contentBlocked(verdict);
}
