import { learnAgain, learnStored, openReadings } from '../engine/document-facts/learn-stored.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/**
 * With a tenant it reads the memories of that tenant. Without one it only enqueues a job for each tenant that is behind, so that a large
 * tenant does not delay the others. `again` (any value) has everything read again, for example after a time without an extractor.
 */
export const learnFactsJob: Job = {
  name: 'learn-facts',
  summary: 'Learns facts from memories that an older version stored.',
  everySeconds: 300,
  concurrency: 1,
  retry: { attempts: 6, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId, again } = readPayload(payload, { optional: ['tenantId', 'again'] });
    if (tenantId !== undefined) {
      if (again !== undefined) await learnAgain(engine, tenantId, signal);
      return { ...(await learnStored(engine, tenantId, signal)) };
    }
    let behind = 0;
    const tenants = await forEachTenant(engine, undefined, signal, async (tenant) => {
      const isBehind =
        engine.statements !== null && (again !== undefined || (await openReadings(engine, tenant)).length > 0);
      if (!isBehind) return;
      behind += 1;
      await queue.enqueue(learnFactsJob.name, { tenantId: tenant, ...(again && { again }) }, { key: tenant });
    });
    return { tenants, behind };
  },
};
