import { findTextFault, Problem } from '@memhall/core';
import { type PluginMemory, pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { sayOrigin } from '../one-memory/say-origin.js';
import { firstStored } from '../plugin/legacy-origin.js';
import type { Host, HostCaller } from './host.js';
import { toMarkedId } from './plugin-memory-id.js';
import type { HostSearch } from './search-memory.js';
import type { ShownMemory } from './shown-memory.js';
import { vectorOf } from './vector-of.js';

/** Searches an outside plugin. Returns undefined if it cannot answer, which is not a reason to withhold what the engine found. */
export async function searchPlugin(
  host: Host,
  caller: HostCaller,
  search: HostSearch & { namespaces: readonly string[] },
): Promise<ShownMemory[] | undefined> {
  const { query, namespaces } = search;
  const given = search.kinds ?? [];
  const kinds = pluginMemoryKinds.filter((kind) => given.includes(kind));
  if (given.length > 0 && kinds.length === 0) return [];
  try {
    const embedding = query === undefined ? undefined : await vectorOf(host, caller, query, 'query');
    const words = host.capabilities.has('fts') ? query : undefined;
    // Without words and vector it would return its newest memories, which match nothing.
    if (query !== undefined && words === undefined && embedding === undefined) return undefined;
    const wanted = { namespaces, query: words, kinds: kinds.length === 0 ? undefined : kinds, limit: search.limit };
    const found = await host.plugin.search(caller, { ...wanted, embedding });
    return found.filter(({ namespace }) => namespaces.includes(namespace)).map((memory) => toShown(caller, memory));
  } catch (error) {
    caller.signal?.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    if (error.status >= 500) host.engine.onFault(error, 'searching the memory plugin');
    return undefined;
  }
}

/** Plugin v1 has no authors, so whatever is in a workspace that is not the user's alone may be somebody else's. */
function toShown(caller: HostCaller, memory: PluginMemory): ShownMemory {
  const { kind, content, namespace, expiresAt, isPinned, score } = memory;
  const isOwn = namespace === caller.grants[0]?.name && caller.tiers.workspaceId === caller.userId;
  const origin = { surface: 'plugin', author: '', namespace } as const;
  const createdAt = firstStored(memory);
  return {
    id: toMarkedId(memory.id),
    ...{ kind, content, origin, isOwn, trust: 'external', expiresAt, isPinned, score, createdAt },
    from: sayOrigin(caller, { kind, origin, at: createdAt, isOwn, isPublic: false }),
    occurredAt: createdAt,
    // Propagation that is nested too deeply to be looked at is left out.
    propagation: findTextFault(memory.propagation) === undefined ? memory.propagation : null,
  };
}
