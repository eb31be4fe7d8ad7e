import { agreeDocuments, usersWithDueDocuments } from '../engine/document-facts/agree-documents.js';
import type { Queue } from '../ports/queue.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/** With a user it works on that user's documents. Without one it only enqueues a job for each user who has documents that are due. */
export const agreeDocumentsJob: Job = {
  name: 'agree-documents',
  summary: 'Patches documents that say what facts no longer do.',
  everySeconds: 60,
  concurrency: 4,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine, queue }, payload, signal) {
    const { tenantId, userId } = readPayload(payload, { optional: ['tenantId', 'userId'] });
    if (tenantId !== undefined && userId !== undefined) {
      return { patched: await agreeDocuments(engine, { tenantId, userId }, signal) };
    }
    let users = 0;
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      for (const user of await usersWithDueDocuments(engine, tenant)) {
        if (await enqueueAgreement(queue, tenant, user)) users += 1;
      }
    });
    return { tenants, users };
  },
};

export function enqueueAgreement(queue: Queue, tenantId: string, userId: string): Promise<boolean> {
  return queue.enqueue(agreeDocumentsJob.name, { tenantId, userId }, { key: `${tenantId} ${userId}` });
}
