import { reindexEvents } from '../engine/events/reindex-events.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const reindexEventsJob: Job = {
  name: 'reindex-events',
  summary: 'Rebuilds the search index of events from the events themselves.',
  concurrency: 1,
  retry: { attempts: 3, firstPauseSeconds: 30 },
  async run({ engine }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    const total = { users: 0, events: 0, removed: 0 };
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      const report = await reindexEvents(engine, tenant, signal);
      total.users += report.users;
      total.events += report.events;
      total.removed += report.removed;
    });
    return { tenants, ...total };
  },
};
