import { formBacklog, refreshForms } from '../engine/memories/refresh-forms.js';
import type { Queue } from '../ports/queue.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/**
 * With a tenant it refreshes that tenant. Without one it only enqueues a job for each tenant that is behind, so that a
 * tenant whose memories are all embedded again does not delay the others.
 */
export const refreshFormsJob: Job = {
  name: 'refresh-forms',
  summary: 'Computes missing and outdated vectors and word forms of memories.',
  everySeconds: 60,
  concurrency: 2,
  retry: { attempts: 6, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    if (tenantId !== undefined) return { memories: await refreshForms(engine, tenantId, signal) };
    let behind = 0;
    const tenants = await forEachTenant(engine, undefined, signal, async (tenant) => {
      if ((await formBacklog(engine, tenant)).count === 0) return;
      behind += 1;
      await enqueueRefresh(queue, tenant);
    });
    return { tenants, behind };
  },
};

export function enqueueRefresh(queue: Queue, tenantId: string): Promise<boolean> {
  return queue.enqueue(refreshFormsJob.name, { tenantId }, { key: tenantId });
}
