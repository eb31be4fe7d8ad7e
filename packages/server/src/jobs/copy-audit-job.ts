import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

const chainsAtATime = 1000;

export const copyAuditJob: Job = {
  name: 'copy-audit',
  summary: 'Copies audit records that a killed process left behind to the outer store.',
  everySeconds: 600,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 10 },
  async run({ copyLeftAudit }, payload) {
    readPayload(payload, {});
    return { chains: await copyLeftAudit(chainsAtATime) };
  },
};
