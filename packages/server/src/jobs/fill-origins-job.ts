import { fillOrigins, originBacklog } from '../engine/memories/fill-origins.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/**
 * With a tenant it fills that tenant. Without one it only enqueues a job for each tenant that is behind, so that a large
 * tenant does not delay the others.
 */
export const fillOriginsJob: Job = {
  name: 'fill-origins',
  summary: 'Stores the origin of memories that an older version wrote.',
  everySeconds: 300,
  concurrency: 1,
  retry: { attempts: 6, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    if (tenantId !== undefined) return { memories: await fillOrigins(engine, tenantId, signal) };
    let behind = 0;
    const tenants = await forEachTenant(engine, undefined, signal, async (tenant) => {
      if ((await originBacklog(engine, tenant)) === 0) return;
      behind += 1;
      await queue.enqueue(fillOriginsJob.name, { tenantId: tenant }, { key: tenant });
    });
    return { tenants, behind };
  },
};
