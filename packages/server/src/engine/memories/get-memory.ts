import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

/** Returns undefined if the memory does not exist or the caller may not see it. */
export async function getMemory(engine: Engine, caller: Caller, id: string): Promise<Memory | undefined> {
  const now = engine.clock.now();
  const [memory] = await engine.store.read(scopeOf(caller), (tables) => tables.memories.getMany([id], now));
  return memory;
}
