import type { Memory } from '../../ports/memories.js';
import type { Engine } from '../engine.js';

/** A memory of a tenant by its id, wherever it is kept. For telling that an id is taken, never for showing what it says. */
export async function findAnywhere(engine: Engine, tenantId: string, id: string): Promise<Memory | undefined> {
  const [memory] = await engine.store.inspect(tenantId, (tables) => tables.memories.findStored([id]));
  return memory;
}
