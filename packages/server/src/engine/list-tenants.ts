import type { Engine } from './engine.js';

/** Returns every tenant that ever wrote anything, in order. */
export async function listTenants({ store }: Pick<Engine, 'store'>): Promise<string[]> {
  const heads = await store.auditHeads();
  return [...new Set(heads.map(({ tenantId }) => tenantId))];
}
