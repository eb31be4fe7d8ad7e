import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from './kinds.js';
import { memoryTarget } from './memory-target.js';

const batchSize = 500;

/**
 * Removes an agent's memories of one kind in a session of the caller's user, all or none, and returns how many there
 * were.
 */
export function forgetSession(
  engine: Engine,
  caller: Caller,
  { kind, agentId, sessionId }: { kind: MemoryKind; agentId: string; sessionId: string },
): Promise<number> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const filter = { kinds: [kind], agentId, sessionIds: [sessionId] };
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
