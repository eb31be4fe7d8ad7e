import { redact } from '@memhall/core';
import { scopeOf } from '../caller.js';
import { statementOf } from '../one-memory/copies.js';
import { type Host, type HostCaller, usesOutsidePlugin } from './host.js';
import { searchEngine } from './search-engine.js';
import { searchPlugin } from './search-plugin.js';
import { forModel, isHarmless, type ShownMemory, takeFitting } from './shown-memory.js';

export interface HostSearch {
  query?: string | undefined;
  /** Default: everything that the caller may read, in namespaces and elsewhere. Those it may not read are silently skipped. */
  namespaces?: readonly string[] | undefined;
  /** All kinds if missing or empty. */
  kinds?: readonly string[] | undefined;
  limit: number;
}

interface HostFound {
  memories: ShownMemory[];
  /** Number of further results that were too long to be shown with the others. */
  omitted: number;
  /** Whether an outside plugin could not answer, so that its memories are missing. */
  isIncomplete: boolean;
}

/**
 * Searches for a model over everything that the caller may read. Without a query: pinned first, then newest. With an outside plugin,
 * up to `limit` of its memories are added to those of the engine; they never take the place of one.
 */
export async function searchMemory(host: Host, caller: HostCaller, given: HostSearch): Promise<HostFound> {
  // Stored memories contain no secrets, so a secret in the query is replaced by the same mark as in them.
  const also = await host.engine.tenants.alsoRedacted(scopeOf(caller));
  const query = given.query === undefined ? undefined : redact(given.query, also).text;
  const readable = caller.grants.map(({ name }) => name);
  const namespaces = readable.filter((name) => given.namespaces?.includes(name) ?? true);
  if (given.namespaces !== undefined && namespaces.length === 0) {
    return { memories: [], omitted: 0, isIncomplete: false };
  }
  const search = { ...given, query };
  const [own, outside] = await Promise.all([
    searchEngine(host, caller, search),
    usesOutsidePlugin(host, caller) ? searchPlugin(host, caller, { ...search, namespaces }) : [],
  ]);
  const added = (outside ?? []).filter((memory) => !own.some((one) => isSameStatement(one, memory)));
  const found = [...own, ...added];
  const fitting = takeFitting(found);
  const harmless = fitting.filter((memory) => isHarmless(host, caller, memory));
  const ordered = query === undefined ? mergeByAge(harmless, new Set(added)) : harmless;
  return {
    memories: ordered.map((memory) => forModel(memory, also)),
    omitted: found.length - fitting.length,
    isIncomplete: outside === undefined,
  };
}

/** Whether a plugin's memory repeats one of the engine. Somebody else's words are never hidden behind the user's own. */
function isSameStatement(own: ShownMemory, outside: ShownMemory): boolean {
  if (own.isOwn !== outside.isOwn) return false;
  if (!own.isOwn && own.origin.namespace !== outside.origin.namespace) return false;
  const statement = statementOf(own.content);
  return statement !== '' && statement === statementOf(outside.content);
}

/** Merges two lists that are in order, pinned first and then newest, as each of them has it. */
function mergeByAge(memories: readonly ShownMemory[], added: ReadonlySet<ShownMemory>): ShownMemory[] {
  const own = memories.filter((memory) => !added.has(memory));
  const merged: ShownMemory[] = [];
  for (const memory of memories.filter((one) => added.has(one))) {
    while (own[0] !== undefined && !isBefore(memory, own[0])) merged.push(own.shift() as ShownMemory);
    merged.push(memory);
  }
  return [...merged, ...own];
}

function isBefore(one: ShownMemory, other: ShownMemory): boolean {
  return one.isPinned === other.isPinned ? one.createdAt > other.createdAt : one.isPinned;
}
