import { defuseMemoryMarks, redact } from '@memhall/core';
import type { PluginMemory, PluginMemoryKind } from '../../ports/memory-plugin.js';
import { findBlocked } from '../guard-models.js';
import { checkTenant, type Host, type HostCaller, needCapability } from './host.js';
import { isOrgNamespace } from './namespace-grants.js';
import { vectorOf } from './vector-of.js';

interface HostSearch {
  query?: string | undefined;
  /** Default: all that the caller may read. What it may not read is left out without a word. */
  namespaces?: readonly string[] | undefined;
  kinds?: readonly PluginMemoryKind[] | undefined;
  limit: number;
}

interface HostFound {
  memories: PluginMemory[];
  /** Found as well, but too long to be shown beside the others. */
  omitted: number;
}

/** More than any model reads at once; also bounds the time that scanning what a plugin answers can take. */
const mostCharacters = 400_000;

/** Memories as a model may see them. Without a query: pinned first, then newest. */
export async function searchMemory(host: Host, caller: HostCaller, search: HostSearch): Promise<HostFound> {
  checkTenant(host, caller);
  const { kinds, limit } = search;
  // Memories hold no secrets, so a question with one finds its place by the mark that stands for it.
  const query = search.query === undefined ? undefined : redact(search.query).text;
  if (query !== undefined && !canSearch(host)) needCapability(host, 'fts', 'query');
  const readable = caller.grants.map(({ name }) => name);
  const namespaces =
    search.namespaces === undefined ? readable : readable.filter((name) => search.namespaces?.includes(name));
  if (namespaces.length === 0) return { memories: [], omitted: 0 };
  const embedding = query === undefined ? undefined : await vectorOf(host, caller, query);
  const found = await host.plugin.search(caller, { namespaces, query, kinds, limit, embedding });
  const readableOnes = found.filter(({ namespace }) => namespaces.includes(namespace));
  const fitting = takeFitting(readableOnes);
  const memories = fitting
    .filter(({ id, content }) => findBlocked(host.engine, caller, id, [content]) === undefined)
    .map((memory) => ({ ...memory, content: toShown(memory) }));
  return { memories, omitted: readableOnes.length - fitting.length };
}

function takeFitting(memories: readonly PluginMemory[]): PluginMemory[] {
  let room = mostCharacters;
  return memories.filter(({ content }) => {
    if (content.length > room) return false;
    room -= content.length;
    return true;
  });
}

/** Whether the plugin compares texts with a query. */
export function canSearch({ capabilities, sendsVectors }: Host): boolean {
  return capabilities.has('fts') || (sendsVectors && capabilities.has('embedding'));
}

/** What everybody in the organisation reads is marked as such, and nothing else can look as if it were. */
function toShown({ id, namespace, content }: PluginMemory): string {
  const text = defuseMemoryMarks(content);
  return isOrgNamespace(namespace) ? `[MEMORY id=${id} scope=ORG ns=${namespace}]: ${text}` : text;
}
