import { compactDocuments } from '../engine/compaction/compact-documents.js';
import { retryRefused } from '../engine/conversations/unresolved.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const compactJob: Job = {
  name: 'compact',
  summary:
    'Compacts documents: turns expired facts into questions, merges duplicates, and removes the least valuable entries of full sections. Then retries patches of replays that did not fit.',
  everySeconds: 86_400,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 30 },
  async run({ engine }, payload, signal) {
    const { tenantId, profileId, userId } = readPayload(payload, { optional: ['tenantId', 'profileId', 'userId'] });
    const total = { documents: 0, compacted: 0, moved: 0, skipped: 0 };
    let applied = 0;
    await forEachTenant(engine, tenantId, signal, async (tenant) => {
      const report = await compactDocuments(engine, tenant, { profileId, userId, signal });
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += report[name];
      applied += await retryRefused(engine, tenant, signal);
    });
    return { ...total, applied };
  },
};
