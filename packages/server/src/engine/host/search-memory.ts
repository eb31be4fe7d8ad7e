import { defuseMemoryMarks, findTextFault, type Json, redact } from '@memhall/core';
import type { PluginMemory, PluginMemoryKind } from '../../ports/memory-plugin.js';
import { scopeOf } from '../caller.js';
import { findBlocked } from '../guard-models.js';
import { isOrgNamespace } from '../one-memory/namespace-grants.js';
import { firstStored } from '../plugin/legacy-origin.js';
import { textsOf } from '../texts-of.js';
import { checkTenant, type Host, type HostCaller, needCapability } from './host.js';
import { vectorOf } from './vector-of.js';
import { vectorNeed } from './vector-source.js';

interface HostSearch {
  query?: string | undefined;
  /** Default: all that the caller may read. Namespaces it may not read are silently skipped. */
  namespaces?: readonly string[] | undefined;
  kinds?: readonly PluginMemoryKind[] | undefined;
  limit: number;
}

interface HostFound {
  memories: PluginMemory[];
  /** Number of further results that were too long to be shown with the others. */
  omitted: number;
}

/** More than any model reads at once; also limits the time needed to scan a plugin's results. */
const mostCharacters = 400_000;

/** Searches memories for a model. Without a query: pinned first, then newest. */
export async function searchMemory(host: Host, caller: HostCaller, search: HostSearch): Promise<HostFound> {
  checkTenant(host, caller);
  const { kinds, limit } = search;
  // Stored memories contain no secrets, so a secret in the query is replaced by the same mark as in them.
  const also = await host.engine.tenants.alsoRedacted(scopeOf(caller));
  const query = search.query === undefined ? undefined : redact(search.query, also).text;
  if (query !== undefined && !canSearch(host)) needCapability(host, 'fts', 'query');
  const readable = caller.grants.map(({ name }) => name);
  const namespaces =
    search.namespaces === undefined ? readable : readable.filter((name) => search.namespaces?.includes(name));
  if (namespaces.length === 0) return { memories: [], omitted: 0 };
  const embedding = query === undefined ? undefined : await vectorOf(host, caller, query, 'query');
  // A plugin that does not match words may reject a query.
  const words = host.capabilities.has('fts') ? query : undefined;
  const found = await host.plugin.search(caller, { namespaces, query: words, kinds, limit, embedding });
  const readableOnes = found.filter(({ namespace }) => namespaces.includes(namespace)).map(withReadablePropagation);
  const fitting = takeFitting(readableOnes);
  const memories = fitting
    .filter(({ id, content, propagation }) => {
      const texts = [content, ...textsOf(propagation)];
      return findBlocked(host.engine, caller, id, texts) === undefined;
    })
    .map(toShown);
  return { memories, omitted: readableOnes.length - fitting.length };
}

/** Leaves out propagation that is nested too deeply to be looked at. */
function withReadablePropagation(memory: PluginMemory): PluginMemory {
  return findTextFault(memory.propagation) === undefined ? memory : { ...memory, propagation: null };
}

function takeFitting(memories: readonly PluginMemory[]): PluginMemory[] {
  let room = mostCharacters;
  return memories.filter(({ content, propagation }) => {
    const length = content.length + (propagation === null ? 0 : JSON.stringify(propagation).length);
    if (length > room) return false;
    room -= length;
    return true;
  });
}

/** Whether the plugin can match texts against a query. */
export function canSearch({ engine, capabilities, vectorSource }: Host): boolean {
  return capabilities.has('fts') || (engine.embedder !== null && vectorNeed(vectorSource, capabilities) === 'required');
}

/**
 * Marks memories that the whole organisation reads, and makes sure that no other text can look like such a mark. Copies
 * from an older store show the date they had there.
 */
function toShown(memory: PluginMemory): PluginMemory {
  const { id, namespace, propagation } = memory;
  const text = defuseMemoryMarks(memory.content);
  return {
    ...memory,
    content: isOrgNamespace(namespace) ? `[MEMORY id=${id} scope=ORG ns=${namespace}]: ${text}` : text,
    propagation: defuse(propagation),
    createdAt: firstStored(memory),
  };
}

function defuse(value: Json): Json {
  if (typeof value === 'string') return defuseMemoryMarks(value);
  if (Array.isArray(value)) return value.map(defuse);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [defuseMemoryMarks(name), defuse(member)]));
}
