import { fromTierLabel } from '@memhall/core';
import type { LabelledText } from '../find-snippets.js';
import type { JsonConnection, JsonResponse } from '../http/json-connection.js';
import type { ProviderOwner } from '../provider.js';
import { ProviderInvalid, ProviderTimeout, ProviderUnavailable } from '../provider-errors.js';
import { type PluginPlace, toPluginPlace } from './plugin-place.js';

/** Maximum number of memories that a plugin returns for a search. */
const maxShown = 100;

/** The texts in a memory plugin. Each text is one memory whose first line is the label. */
export class PluginShelf {
  readonly #owner: ProviderOwner;
  readonly #connection: JsonConnection;

  constructor(owner: ProviderOwner, connection: JsonConnection) {
    this.#owner = owner;
    this.#connection = connection;
  }

  /** Returns an empty string if there is no such text. */
  async read({ namespace, id }: PluginPlace, signal?: AbortSignal): Promise<string> {
    const { found, isWhole } = await this.#search({ namespaces: [namespace] }, signal);
    const text = found.find((one) => one.id === id)?.text;
    if (text === undefined && !isWhole) {
      throw new ProviderUnavailable('The plugin stores more texts of this kind than a search can return.');
    }
    return text ?? '';
  }

  /** Returns the texts that the plugin finds by words, or all texts it returns if it does not support text search. */
  async find(namespaces: readonly string[], query: string, signal?: AbortSignal): Promise<LabelledText[]> {
    const { body } = await this.#connection.call('GET', '/v1/health', undefined, signal);
    const { capabilities } = (body ?? {}) as { capabilities?: unknown };
    const searches = Array.isArray(capabilities) && capabilities.includes('fts');
    const requests = searches ? [{ namespaces, query }] : namespaces.map((name) => ({ namespaces: [name] }));
    const texts: LabelledText[] = [];
    for (const request of requests) texts.push(...(await this.#search(request, signal)).found);
    return texts;
  }

  async write({ namespace, id }: PluginPlace, { label, text }: LabelledText, signal?: AbortSignal): Promise<void> {
    const body = { id, content: `${label}\n${text}`, kind: 'fact', source: 'agent' };
    const path = `/v1/namespaces/${encodeURIComponent(namespace)}`;
    const write = () => this.#connection.call('POST', `${path}/memories`, body, signal);
    let response = await write();
    if (response.status === 404) {
      expect(await this.#connection.call('PUT', path, { kind: 'custom' }, signal), 200);
      response = await write();
    }
    expect(response, 201);
  }

  /** Returns whether the text existed. */
  async remove({ namespace, id }: PluginPlace, signal?: AbortSignal): Promise<boolean> {
    const body = { requested_by_namespace: namespace };
    const response = await this.#connection.call('DELETE', `/v1/memories/${id}`, body, signal);
    if (response.status === 404) return false;
    expect(response, 204);
    return true;
  }

  async #search(request: { namespaces: readonly string[]; query?: string }, signal: AbortSignal | undefined) {
    const response = await this.#connection.call('POST', '/v1/search', { ...request, limit: maxShown }, signal);
    expect(response, 200);
    const { memories } = (response.body ?? {}) as { memories?: unknown };
    if (!Array.isArray(memories)) throw new ProviderUnavailable('The plugin sent a malformed response.');
    return { found: memories.flatMap((memory) => this.#readMemory(memory)), isWhole: memories.length < maxShown };
  }

  /** Ignores memories that others stored in these namespaces. */
  #readMemory(value: unknown): (LabelledText & { id: string })[] {
    const { id, namespace, content } = (value ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof content !== 'string') return [];
    const end = content.indexOf('\n');
    const label = content.slice(0, end);
    const named = end < 0 ? undefined : fromTierLabel(label);
    if (named === undefined) return [];
    const place = toPluginPlace(this.#owner, { ...named, label });
    return place.id === id.toLowerCase() && place.namespace === namespace
      ? [{ id: place.id, label, text: content.slice(end + 1) }]
      : [];
  }
}

function expect({ status }: JsonResponse, wanted: number): void {
  if (status === wanted) return;
  if (status === 413) throw new ProviderInvalid('PAYLOAD_TOO_LARGE', 'The text is larger than the plugin allows.');
  if (status === 408 || status === 504) throw new ProviderTimeout('The plugin did not respond in time.');
  throw new ProviderUnavailable(`The plugin rejected the request (${status}).`);
}
