import { cleanUpUpload, cleanUpUploadJobName } from '../engine/resources/clean-up-upload.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const cleanUpUploadJob: Job = {
  name: cleanUpUploadJobName,
  summary: 'Removes the file of an unfinished upload from the outer store.',
  concurrency: 2,
  retry: { attempts: 10, firstPauseSeconds: 60 },
  async run({ engine }, payload) {
    const upload = readPayload(payload, { required: ['tenantId', 'userId', 'resourceId'] });
    return { removed: (await cleanUpUpload(engine, upload)) ? 1 : 0 };
  },
};
