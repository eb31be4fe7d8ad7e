import type { Memory, MemoryFilter } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type MemoryScope, partitionsOf } from './scope-partitions.js';

/** Lists memories of namespaces without a query: pinned first, then newest first. */
export function browseMemories(
  engine: Engine,
  caller: Caller,
  { scope, filter, limit }: { scope: MemoryScope; filter: MemoryFilter; limit: number },
): Promise<Memory[]> {
  const partitions = partitionsOf(caller, scope);
  const page = { limit, now: engine.clock.now() };
  return engine.store.read(scopeOf(caller), async (tables) => {
    const [pinned, others] = await Promise.all(
      [true, false].map((isPinned) => tables.memories.newest(partitions, { ...filter, isPinned }, page)),
    );
    return [...(pinned ?? []), ...(others ?? [])].slice(0, limit);
  });
}
