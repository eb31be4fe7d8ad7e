import { redact } from '@memhall/core';
import { scopeOf } from '../caller.js';
import { findForModel } from './find-for-model.js';
import type { Host, HostCaller } from './host.js';
import { fromMarkedId } from './plugin-memory-id.js';
import { forModel, isHarmless, type ShownMemory, takeFitting } from './shown-memory.js';

export interface HostSearch {
  query?: string | undefined;
  /** Default: everything that the caller may read, in namespaces and elsewhere. Those it may not read are silently skipped. */
  namespaces?: readonly string[] | undefined;
  /** All kinds if missing or empty. */
  kinds?: readonly string[] | undefined;
  limit: number;
  /** What was true at this time; with a query only. Default: now. */
  asOf?: Date | undefined;
  /** What was known at this time; with a query only. Default: now. */
  knownAt?: Date | undefined;
  /** Whether what is no longer true is returned too; with a query only. */
  includeSuperseded?: boolean | undefined;
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
  const found = await findForModel(host, caller, { ...given, query });
  const fitting = takeFitting(found.memories);
  const harmless: ShownMemory[] = [];
  for (const memory of fitting) if (await isHarmless(host, caller, memory)) harmless.push(memory);
  const ordered = query === undefined ? mergeByAge(harmless) : harmless;
  const memories: ShownMemory[] = [];
  for (const memory of ordered) memories.push(await forModel(host, memory, also));
  return {
    memories,
    omitted: found.omitted + found.memories.length - fitting.length,
    isIncomplete: found.isIncomplete,
  };
}

/** Merges two lists that are in order, pinned first and then newest, as each of them has it. */
function mergeByAge(memories: readonly ShownMemory[]): ShownMemory[] {
  const own = memories.filter(({ id }) => fromMarkedId(id) === undefined);
  const merged: ShownMemory[] = [];
  for (const memory of memories.filter(({ id }) => fromMarkedId(id) !== undefined)) {
    while (own[0] !== undefined && !isBefore(memory, own[0])) merged.push(own.shift() as ShownMemory);
    merged.push(memory);
  }
  return [...merged, ...own];
}

function isBefore(one: ShownMemory, other: ShownMemory): boolean {
  return one.isPinned === other.isPinned ? one.createdAt > other.createdAt : one.isPinned;
}
