import { Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { getForChange } from './get-for-change.js';
import type { MemoryKind } from './kinds.js';
import { memoryTarget } from './memory-target.js';

/**
 * Removes memories for good, text, vector and index form alike, and answers them. What the caller cannot see is passed
 * over as if it were not there, and so is what is of another kind, if one is given; a public memory of somebody else is refused, and then nothing is removed.
 */
export function forgetMemories(
  engine: Engine,
  caller: Caller,
  ids: readonly string[],
  kind?: MemoryKind,
): Promise<Memory[]> {
  return mutate(engine, caller, async (tables, now) => {
    const seen = await getForChange(tables, ids, now);
    const found = kind === undefined ? seen : seen.filter((memory) => memory.kind === kind);
    if (found.some(({ userId, partition }) => partition.kind === 'public' && userId !== caller.userId)) {
      throw new Problem('FORBIDDEN', 'Only who made a public memory may remove it.');
    }
    if (found.length > 0) tables.memories.delete(found.map(({ id }) => id));
    const mutations = found.map((memory) => ({
      target: memoryTarget(memory),
      preEtag: null,
      postEtag: null,
      contentHash: null,
    }));
    return { result: found, mutations };
  });
}
