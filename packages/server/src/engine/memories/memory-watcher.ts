import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Engine } from '../engine.js';

/** Keeps what is derived from memories up to date. Use cases of memories do not know what that is. */
export interface MemoryWatcher {
  /**
   * Called in the transaction that removes memories of the transaction's user, for those that are gone for good. Returns the changes
   * that followed, for the audit log.
   */
  removed(tables: Tables, memoryIds: readonly string[], now: Date): Promise<Mutation[]>;
}

/** Tells all watchers of the engine. */
export async function tellRemoved(
  { memoryWatchers }: Pick<Engine, 'memoryWatchers'>,
  tables: Tables,
  memoryIds: readonly string[],
  now: Date,
): Promise<Mutation[]> {
  if (memoryIds.length === 0) return [];
  const mutations: Mutation[] = [];
  for (const watcher of memoryWatchers) mutations.push(...(await watcher.removed(tables, memoryIds, now)));
  return mutations;
}
