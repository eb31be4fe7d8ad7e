import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const refreshStatisticsJob: Job = {
  name: 'refresh-statistics',
  summary: 'Updates the statistics of the embedded database, so that it chooses the right indexes.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 2, firstPauseSeconds: 10 },
  async run({ engine }, payload) {
    readPayload(payload, {});
    await engine.store.refreshStatistics();
    return {};
  },
};
