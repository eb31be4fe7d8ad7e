import { formBacklog, refreshForms } from '../engine/memories/refresh-forms.js';
import type { Queue } from '../ports/queue.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/**
 * With a tenant it works on that one. By itself it only sees who has something waiting, so that a tenant whose every memory
 * is embedded anew holds up nobody else.
 */
export const refreshFormsJob: Job = {
  name: 'refresh-forms',
  summary: 'Gives memories the vectors and word forms they lack, or that are outdated.',
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
