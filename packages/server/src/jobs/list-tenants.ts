import type { Engine } from '../engine/engine.js';

/** Every tenant that ever wrote anything. */
export async function listTenants(engine: Engine): Promise<string[]> {
  const heads = await engine.store.auditHeads();
  return [...new Set(heads.map(({ tenantId }) => tenantId))];
}
