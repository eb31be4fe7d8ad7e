import type { MemoryFilter } from '../../ports/memories.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from './kinds.js';
import { toFilter } from './memory-query.js';
import { memoryTarget } from './memory-target.js';
import { tellRemoved } from './memory-watcher.js';

/** Removes the private memories of the caller's user that match a filter, all or none, and returns how many there were. */
export function forgetMatching(
  engine: Engine,
  caller: Caller,
  { kind, ...rest }: MemoryFilter & { kind: MemoryKind },
): Promise<number> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const filter = { ...toFilter(rest), kinds: [kind] };
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const ids = await tables.memories.deleteMatching(partition, filter, now);
    const mutations = ids.map((id) => ({
      target: memoryTarget({ id, kind }),
      preEtag: null,
      postEtag: null,
      contentHash: null,
    }));
    return { result: ids.length, mutations: [...mutations, ...(await tellRemoved(engine, tables, ids, now))] };
  });
}
