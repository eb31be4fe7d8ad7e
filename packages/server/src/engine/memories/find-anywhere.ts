import type { Memory } from '../../ports/memories.js';
import type { Engine } from '../engine.js';

/**
 * Finds a memory of a tenant by id in any partition. Only for checking that an id is taken, never for showing the
 * content.
 */
export async function findAnywhere(engine: Engine, tenantId: string, id: string): Promise<Memory | undefined> {
  const [memory] = await engine.store.inspect(tenantId, (tables) => tables.memories.findStored([id]));
  return memory;
}
