import { sendHeads } from '../engine/audit/send-heads.js';
import { signLog } from '../engine/audit/sign-log.js';
import { forTenants } from './for-each-tenant.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const signHeadsJob: Job = {
  name: 'sign-heads',
  summary: 'Signs the audit logs of tenants that have new records, and sends the signed heads to the witness.',
  everySeconds: 30,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 5 },
  async run({ engine, signing }, payload, signal) {
    const { tenantId: only } = readPayload(payload, { optional: ['tenantId'] });
    const { witness, everyMs } = signing;
    const due = only === undefined ? await dueTenants(engine.store.unsignedTenants(), everyMs) : new Set([only]);
    const waiting = witness === null || only !== undefined ? [] : await engine.store.waitingTenants();
    let [signed, sent] = [0, 0];
    await forTenants([...new Set([...due, ...waiting])], signal, async (tenantId) => {
      const result = due.has(tenantId) ? await signLog(engine, tenantId, { signal }) : undefined;
      if (result?.isNew) signed += 1;
      const fresh = result?.isNew ? result.head : undefined;
      if (witness !== null) sent += await sendHeads(engine, witness, tenantId, { fresh, signal });
    });
    return { signed, sent };
  },
};

/** @param everyMs 0: logs are signed only on demand */
async function dueTenants(
  unsigned: Promise<{ tenantId: string; signedAt: Date | null }[]>,
  everyMs: number,
): Promise<ReadonlySet<string>> {
  const isDue = (signedAt: Date | null) =>
    everyMs > 0 && (signedAt === null || Date.now() - signedAt.getTime() >= everyMs);
  return new Set((await unsigned).flatMap(({ tenantId, signedAt }) => (isDue(signedAt) ? [tenantId] : [])));
}
