import type { MemoryFilter } from '../../ports/memories.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from './kinds.js';
import { toFilter } from './memory-query.js';
import { memoryTarget } from './memory-target.js';

const batchSize = 500;

/** Removes the private memories of the caller's user that match a filter, all or none, and returns how many there were. */
export function forgetMatching(
  engine: Engine,
  caller: Caller,
  { kind, ...rest }: MemoryFilter & { kind: MemoryKind },
): Promise<number> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const filter = { ...toFilter(rest), kinds: [kind] };
  return mutate(engine, caller, async (tables, now) => {
    const mutations: Mutation[] = [];
    for (let before: bigint | undefined; ; ) {
      const found = await tables.memories.list([partition], filter, { before, limit: batchSize, now });
      if (found.length > 0) tables.memories.delete(found.map(({ memory }) => memory.id));
      for (const { memory } of found)
        mutations.push({ target: memoryTarget(memory), preEtag: null, postEtag: null, contentHash: null });
      before = found.at(-1)?.seq;
      if (found.length < batchSize) return { result: mutations.length, mutations };
    }
  });
}
