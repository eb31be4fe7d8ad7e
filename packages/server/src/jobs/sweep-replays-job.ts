import { openReplays } from '../engine/conversations/open-replays.js';
import { retryUnresolved } from '../engine/conversations/unresolved.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';
import { enqueueReplay } from './replay-job.js';

export const sweepReplaysJob: Job = {
  name: 'sweep-replays',
  summary: 'Enqueues replays that were not finished, and retries patches that failed with a conflict.',
  everySeconds: 30,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    let enqueued = 0;
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      for (const replay of await openReplays(engine, tenant)) if (await enqueueReplay(queue, replay)) enqueued += 1;
      await retryUnresolved(engine, tenant, signal);
    });
    return { tenants, enqueued };
  },
};
