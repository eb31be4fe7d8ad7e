import { type Memory, partitionFromKey, partitionKey } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';

/**
 * Memories as they will be until the transaction ends. Those of the user alone take turns with the user's writes; what others
 * may change too is locked first and then read again.
 */
export async function getForChange(tables: Tables, ids: readonly string[], now: Date): Promise<Memory[]> {
  const found = await tables.memories.getMany(ids, now);
  const shared = new Set(
    found.flatMap(({ partition }) => (partition.kind === 'user' ? [] : [partitionKey(partition)])),
  );
  if (shared.size === 0) return found;
  // Always in the same order: two that want the same never wait for each other.
  for (const key of [...shared].sort()) tables.memories.lock(partitionFromKey(key));
  return tables.memories.getMany(ids, now);
}
