import { settleUpload, settleUploadJobName } from '../engine/resources/settle-upload.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const settleUploadJob: Job = {
  name: settleUploadJobName,
  summary: 'Removes the file of an unfinished upload from the outer store.',
  concurrency: 2,
  retry: { attempts: 10, firstPauseSeconds: 60 },
  async run({ engine }, payload) {
    const upload = readPayload(payload, { required: ['tenantId', 'userId', 'resourceId'] });
    return { removed: (await settleUpload(engine, upload)) ? 1 : 0 };
  },
};
