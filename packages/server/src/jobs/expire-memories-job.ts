import { expireMemories, expireNamespaces, forgetRemovals } from '../engine/memories/expire-memories.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const expireMemoriesJob: Job = {
  name: 'expire-memories',
  summary: 'Removes memories and namespaces that have expired.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    const removed = { memories: 0, namespaces: 0 };
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      removed.memories += await expireMemories(engine, tenant);
      removed.namespaces += await expireNamespaces(engine, tenant);
      await forgetRemovals(engine, tenant);
    });
    return { tenants, ...removed };
  },
};
