import { createHash } from 'node:crypto';
import { findTextFault, Problem, redact } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import { type PluginMemory, pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { scopeOf } from '../caller.js';
import type { Recalled } from '../memories/recall/recalled.js';
import type { Member } from '../one-memory/member.js';
import type { OutsideMemories, OutsideSearch } from '../one-memory/outside-memories.js';
import { firstStored } from '../plugin/legacy-origin.js';
import { type Host, usesOutsidePlugin } from './host.js';
import { toMarkedId } from './plugin-memory-id.js';
import { vectorOf } from './vector-of.js';

/** The memories of an outside plugin. */
export class PluginMemories implements OutsideMemories {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  serves(member: Member): boolean {
    return usesOutsidePlugin(this.#host, member);
  }

  async search(member: Member, { kinds: given, signal, ...search }: OutsideSearch): Promise<Recalled[] | undefined> {
    const kinds = given && pluginMemoryKinds.filter((kind) => given.includes(kind));
    if (kinds?.length === 0) return [];
    try {
      return await this.#ask({ ...member, signal }, { ...search, kinds });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      if (error.status >= 500) this.#host.engine.onFault(error, 'searching the memory plugin');
      return undefined;
    }
  }

  async #ask(
    caller: Member & { signal: AbortSignal | undefined },
    { text, namespaces, kinds, arms, limit }: Omit<OutsideSearch, 'kinds' | 'signal'> & { kinds: PluginKinds },
  ): Promise<Recalled[] | undefined> {
    const host = this.#host;
    // Commands do not ask for the capabilities when they start.
    if (host.capabilities.status === 'unknown') await host.capabilities.settle();
    const query = text === undefined ? undefined : await this.#withoutSecrets(caller, text);
    const isByMeaning = query !== undefined && arms !== 'lexical';
    const embedding = isByMeaning ? await vectorOf(host, caller, query, 'query') : undefined;
    const words = host.capabilities.has('fts') ? query : undefined;
    // Without words and vector it would return its newest memories, which match nothing.
    if (query !== undefined && words === undefined && embedding === undefined) return undefined;
    const found = await host.plugin.search(caller, { namespaces, query: words, kinds, limit, embedding });
    return found
      .filter(({ namespace }) => namespaces.includes(namespace))
      .map((memory) => ({ memory: toMemory(memory), score: Math.min(1, Math.max(0, memory.score ?? 0)) }));
  }

  /** Stored memories contain no secrets, so a secret in the query is replaced by the same mark as in them. */
  async #withoutSecrets(member: Member, text: string): Promise<string> {
    const also = await this.#host.engine.tenants.alsoRedacted(scopeOf(member));
    return redact(text, also).text;
  }
}

type PluginKinds = (typeof pluginMemoryKinds)[number][] | undefined;

/** Plugin v1 knows neither authors nor owners. */
function toMemory(found: PluginMemory): Memory {
  const { kind, content, namespace, source, expiresAt, isPinned, createdAt } = found;
  return {
    id: toMarkedId(found.id),
    ...{ kind, content, source, expiresAt, isPinned, createdAt },
    ...{ surface: 'plugin', author: '', trust: 'external' },
    userId: '',
    partition: { kind: 'namespace', name: namespace },
    contentHash: createHash('sha256').update(content).digest('hex'),
    ...{ cue: null, externalId: null, uniqueContent: false, tags: [], metadata: {} },
    ...{ sessionId: null, planId: null, agentId: null, role: null },
    occurredAt: firstStored(found),
    // Propagation that is nested too deeply to be looked at is left out.
    propagation: findTextFault(found.propagation) === undefined ? found.propagation : null,
    updatedAt: createdAt,
    recordedAt: createdAt,
  };
}
