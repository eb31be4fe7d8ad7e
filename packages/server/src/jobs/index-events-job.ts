import { indexEvents, prepareEventIndex } from '../engine/events/index-events.js';
import type { Queue } from '../ports/queue.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const indexEventsJob: Job = {
  name: 'index-events',
  summary: 'Brings events to the outer search index, if one is configured.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    const { eventIndex } = engine;
    if (eventIndex === null) return { tenants: 0, events: 0 };
    await prepareEventIndex(engine, eventIndex, signal);
    let events = 0;
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      events += await indexEvents(engine, eventIndex, tenant, signal);
    });
    return { tenants, events };
  },
};

export function enqueueEventIndexing(queue: Queue, tenantId: string): Promise<boolean> {
  return queue.enqueue(indexEventsJob.name, { tenantId }, { key: tenantId });
}
