import { type Memory, partitionFromKey, partitionKey } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';

/**
 * Returns memories that cannot change until the transaction ends. A user's own memories are protected by the
 * serialization of the user's writes; shared partitions are locked first and then read again.
 */
export async function getForChange(tables: Tables, ids: readonly string[], now: Date): Promise<Memory[]> {
  const found = await tables.memories.getMany(ids, now);
  const shared = new Set(
    found.flatMap(({ partition }) => (partition.kind === 'user' ? [] : [partitionKey(partition)])),
  );
  if (shared.size === 0) return found;
  // Always in the same order, to avoid deadlocks.
  for (const key of [...shared].sort()) tables.memories.lock(partitionFromKey(key));
  return tables.memories.getMany(ids, now);
}
