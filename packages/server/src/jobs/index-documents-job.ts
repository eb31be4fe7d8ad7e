import { catchUpDocuments, documentBacklog } from '../engine/documents/catch-up-documents.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/** With a tenant it works on that tenant. Without one it only enqueues a job for each tenant that is behind. */
export const indexDocumentsJob: Job = {
  name: 'index-documents',
  summary: 'Makes documents known to recall that were stored without it: before an upgrade, or by an import.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 3, firstPauseSeconds: 30 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    if (tenantId !== undefined) return { documents: await catchUpDocuments(engine, tenantId, signal) };
    let behind = 0;
    const tenants = await forEachTenant(engine, undefined, signal, async (tenant) => {
      if ((await documentBacklog(engine, tenant)) === 0) return;
      behind += 1;
      await queue.enqueue(indexDocumentsJob.name, { tenantId: tenant }, { key: tenant });
    });
    return { tenants, behind };
  },
};
