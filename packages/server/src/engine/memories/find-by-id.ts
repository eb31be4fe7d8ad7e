import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { getMemory } from './get-memory.js';
import type { MemoryScope } from './scope-partitions.js';

const uuid = /^\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;

/**
 * Returns the memory of the given namespaces if the whole text is its id. Needed because ids are not indexed as words.
 */
export async function findById(
  engine: Engine,
  caller: Caller,
  { id, scope, filter }: { id: string | undefined; scope: MemoryScope; filter: Pick<MemoryFilter, 'kinds'> },
): Promise<Memory | undefined> {
  const [, known] = uuid.exec(id ?? '') ?? [];
  const memory = known === undefined ? undefined : await getMemory(engine, caller, known.toLowerCase());
  if (memory?.partition.kind !== 'namespace') return undefined;
  const wanted = scope.namespaces?.includes(memory.partition.name) && (filter.kinds?.includes(memory.kind) ?? true);
  return wanted ? memory : undefined;
}
