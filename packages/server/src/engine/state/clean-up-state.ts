import type { Tables } from '../../ports/store.js';
import { mutate } from '../audit/mutate.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { taskTarget } from './task-mutation.js';
import { workingTarget } from './working-target.js';

const batchSize = 500;

/** undefined: kept until somebody deletes it. */
export interface StateAges {
  /** How long after a plan has finished its working memory goes. */
  finishedPlanAgeMs: number | undefined;
  /** How long after its last change a task context goes. */
  taskContextAgeMs: number | undefined;
}

export interface CleanedUp {
  expiredValues: number;
  /** Plans whose working memory was removed. */
  clearedPlans: number;
  taskContexts: number;
}

/** One kind of thing that is removed: whose there is, and how to remove some of a user's. Answers audit targets. */
interface Sweep {
  owners(tables: Tables): Promise<string[]>;
  remove(tables: Tables): Promise<string[]>;
}

/** Removes what a tenant's agents left lying: expired working values, working memory of finished plans, stale tasks. */
export async function cleanUpState(
  engine: Engine,
  tenantId: string,
  ages: StateAges,
  signal?: AbortSignal,
): Promise<CleanedUp> {
  const now = engine.clock.now();
  const before = (ageMs: number) => new Date(now.getTime() - ageMs);
  const run = (sweep: Sweep) => sweepTenant(engine, tenantId, sweep, signal);
  return {
    expiredValues: await run(expiredValues(now)),
    clearedPlans: ages.finishedPlanAgeMs === undefined ? 0 : await run(finishedPlans(before(ages.finishedPlanAgeMs))),
    taskContexts: ages.taskContextAgeMs === undefined ? 0 : await run(staleTasks(before(ages.taskContextAgeMs))),
  };
}

function expiredValues(now: Date): Sweep {
  return {
    owners: (tables) => tables.workingValues.expiredOwners(now),
    async remove(tables) {
      const values = await tables.workingValues.deleteExpired(now, batchSize);
      return values.map(({ planId, key }) => workingTarget(planId, key));
    },
  };
}

function finishedPlans(before: Date): Sweep {
  return {
    owners: (tables) => tables.workingValues.finishedOwners(before),
    async remove(tables) {
      const plans = await tables.workingValues.deleteFinished(before, batchSize);
      return plans.map((planId) => workingTarget(planId));
    },
  };
}

function staleTasks(before: Date): Sweep {
  return {
    owners: (tables) => tables.taskContexts.staleOwners(before),
    async remove(tables) {
      return (await tables.taskContexts.deleteStale(before, batchSize)).map(taskTarget);
    },
  };
}

/** In the users' own transactions, so that nothing goes that somebody is using at this moment. */
async function sweepTenant(
  engine: Engine,
  tenantId: string,
  sweep: Sweep,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (const userId of await engine.store.inspect(tenantId, (tables) => sweep.owners(tables))) {
    for (let removed = batchSize; removed === batchSize; total += removed) {
      signal?.throwIfAborted();
      removed = await mutate(engine, systemCaller(tenantId, userId, 'state.cleanUp'), async (tables) => {
        const targets = await sweep.remove(tables);
        const mutations = targets.map((target) => ({ target, preEtag: null, postEtag: null, contentHash: null }));
        return { result: targets.length, mutations };
      });
    }
  }
  return total;
}
