import { removeUnfinishedUpload, unfinishedUploadJobName } from '../engine/resources/unfinished-uploads.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const unfinishedUploadJob: Job = {
  name: unfinishedUploadJobName,
  summary: 'Removes the file of an upload from the outer store that was never finished.',
  concurrency: 2,
  retry: { attempts: 10, firstPauseSeconds: 60 },
  async run({ engine }, payload) {
    const upload = readPayload(payload, { required: ['tenantId', 'userId', 'resourceId'] });
    return { removed: (await removeUnfinishedUpload(engine, upload)) ? 1 : 0 };
  },
};
