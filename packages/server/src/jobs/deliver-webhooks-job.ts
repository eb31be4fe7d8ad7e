import type { Engine } from '../engine/engine.js';
import { deliverToWebhooks } from '../engine/webhooks/deliver.js';
import type { Queue } from '../ports/queue.js';
import type { Job } from './job.js';

const periodSeconds = 30;
/** One run watches nearly until the next one begins. */
const watchMs = (periodSeconds - 3) * 1000;
const longestWaitMs = 5000;
/** Endpoints that are slow to respond must not make those of other tenants wait. */
const mostTenants = 16;

export const deliverWebhooksJob: Job = {
  name: 'deliver-webhooks',
  summary: 'Sends webhooks what changed. While there are any, it looks for changes all the time.',
  everySeconds: periodSeconds,
  concurrency: 1,
  retry: { attempts: 3, firstPauseSeconds: 5 },
  async run({ engine }, _payload, signal) {
    const until = performance.now() + watchMs;
    const sending = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    let deliveries = 0;
    const start = (tenantId: string) =>
      deliverToWebhooks(engine, tenantId, signal)
        .then(
          (count) => {
            deliveries += count;
          },
          (error: unknown) => void failures.push(error),
        )
        .finally(() => sending.delete(tenantId));
    for (
      let leftMs = watchMs;
      leftMs > 0 && !signal.aborted && failures.length === 0;
      leftMs = until - performance.now()
    ) {
      const now = engine.clock.now();
      const { isAny, dueTenants, nextAttemptAt } = await engine.store.webhookState(now);
      if (!isAny) break;
      for (const tenantId of dueTenants.filter((one) => !sending.has(one)).slice(0, mostTenants - sending.size)) {
        sending.set(tenantId, start(tenantId));
      }
      const dueInMs = nextAttemptAt === null ? longestWaitMs : Math.max(nextAttemptAt.getTime() - now.getTime(), 50);
      await waitForWork(engine, [...sending.values()], Math.min(dueInMs, longestWaitMs, leftMs), signal);
    }
    await Promise.all(sending.values());
    if (failures.length > 0) throw failures[0];
    return { deliveries };
  },
};

export function enqueueDeliveries(queue: Queue): Promise<boolean> {
  return queue.enqueue(deliverWebhooksJob.name, {}, { key: 'webhooks' });
}

/** Resolves when something changed, when one of the tenants was served, or after some time. */
async function waitForWork(engine: Engine, sending: Promise<void>[], timeoutMs: number, signal: AbortSignal) {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  const changed = engine.following.changeSignal.wait(timeoutMs, ending.signal);
  await Promise.race([changed, ...sending]);
  signal.removeEventListener('abort', end);
  ending.abort();
}
