import type { Engine } from '../engine/engine.js';
import { forgetOldKeys } from '../engine/forget-old-keys.js';
import { cleanUpState } from '../engine/state/clean-up-state.js';
import type { BackgroundWork } from './background-work.js';
import { listTenants } from './list-tenants.js';

const everyMs = 10 * 60_000;
const hourMs = 3_600_000;

/** Takes away what agents left lying (see `cleanUpState`; 0 hours: never) and idempotency keys that no longer count. */
export function startStateTasks(
  background: BackgroundWork,
  engine: Engine,
  ages: { finishedPlanHours: number; taskContextHours: number },
): void {
  const limits = {
    finishedPlanAgeMs: toMs(ages.finishedPlanHours),
    taskContextAgeMs: toMs(ages.taskContextHours),
  };
  background.start({
    name: 'clean up state',
    everyMs,
    async run(signal) {
      for (const tenantId of await listTenants(engine)) {
        signal.throwIfAborted();
        await cleanUpState(engine, tenantId, limits, signal);
        await forgetOldKeys(engine, tenantId, signal);
      }
    },
  });
}

function toMs(hours: number): number | undefined {
  return hours === 0 ? undefined : hours * hourMs;
}
