import { applyTenantRetention } from '../engine/governance/apply-retention.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const retainJob: Job = {
  name: 'retain',
  summary:
    'Deletes events, snapshots, audit records and files that are older than profiles and retention ceilings allow.',
  everySeconds: 86_400,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 30 },
  async run({ engine }, payload, signal) {
    const { tenantId, profileId } = readPayload(payload, { optional: ['tenantId', 'profileId'] });
    const total = { events: 0, snapshots: 0, audit: 0, resources: 0, heldUsers: 0 };
    await forEachTenant(engine, tenantId, signal, async (tenant) => {
      const report = await applyTenantRetention(engine, tenant, { profileId }, signal);
      total.events += report.eventsDeleted;
      total.snapshots += report.snapshotsDeleted;
      total.audit += report.auditDeleted;
      total.resources += report.resourcesDeleted;
      total.heldUsers += report.heldUsers.length;
    });
    return total;
  },
};
