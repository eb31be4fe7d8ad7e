import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const refreshStatisticsJob: Job = {
  name: 'refresh-statistics',
  summary: 'Lets the embedded database count its rows, so that it picks the right indexes.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 2, firstPauseSeconds: 10 },
  async run({ engine }, payload) {
    readPayload(payload, {});
    await engine.store.refreshStatistics();
    return {};
  },
};
