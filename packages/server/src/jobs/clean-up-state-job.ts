import { forgetOldChanges } from '../engine/changes/forget-old-changes.js';
import { forgetOldKeys } from '../engine/governance/forget-old-keys.js';
import { cleanUpState } from '../engine/state/clean-up-state.js';
import { forgetOldRevocations } from '../engine/tokens/revoke-tokens.js';
import { forgetOldDeliveries } from '../engine/webhooks/delivery-log.js';
import { forEachTenant } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const cleanUpStateJob: Job = {
  name: 'clean-up-state',
  summary:
    'Removes expired working memory, the working memory of old finished plans, stale task contexts, old idempotency keys, old changes and deliveries of webhooks, revocations of tokens that have expired, and counts of requests.',
  everySeconds: 600,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 10 },
  async run({ engine, stateAges }, payload, signal) {
    const { tenantId } = readPayload(payload, { optional: ['tenantId'] });
    const removed = { expiredValues: 0, clearedPlans: 0, taskContexts: 0, idempotencyKeys: 0, tokenRevocations: 0 };
    const tenants = await forEachTenant(engine, tenantId, signal, async (tenant) => {
      const cleaned = await cleanUpState(engine, tenant, stateAges, signal);
      removed.expiredValues += cleaned.expiredValues;
      removed.clearedPlans += cleaned.clearedPlans;
      removed.taskContexts += cleaned.taskContexts;
      removed.idempotencyKeys += await forgetOldKeys(engine, tenant, signal);
      removed.tokenRevocations += await forgetOldRevocations(engine, tenant);
      await forgetOldChanges(engine, tenant);
      await forgetOldDeliveries(engine, tenant);
      await engine.store.count(tenant, (tables) => tables.quotaCounts.deleteEnded(engine.clock.now()));
    });
    return { tenants, ...removed };
  },
};
