import type { Memory, MemoryFilter } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from './kinds.js';

/** Returns an agent's latest memories for the caller's user: latest first by `occurredAt`, then by arrival. */
export function recentMemories(
  engine: Engine,
  caller: Caller,
  filter: MemoryFilter & { kind: MemoryKind; agentId: string },
  limit: number,
): Promise<Memory[]> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const page = { limit, now: engine.clock.now() };
  return engine.store.read(scopeOf(caller), (tables) => tables.memories.recent(partition, filter, page));
}
