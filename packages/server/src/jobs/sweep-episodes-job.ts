import { abandonedEpisodes } from '../engine/conversations/extract-episode.js';
import { enqueueEpisode } from './extract-episode-job.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const sweepEpisodesJob: Job = {
  name: 'sweep-episodes',
  summary: 'Enqueues chat episodes that were closed but never extracted.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    let enqueued = 0;
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      for (const episode of await abandonedEpisodes(engine, tenant)) {
        if (await enqueueEpisode(queue, episode)) enqueued += 1;
      }
    });
    return { tenants, enqueued };
  },
};
