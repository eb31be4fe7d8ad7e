import type { Tables } from '../../ports/store.js';
import { mutate } from '../audit/mutate.js';
import { unrecordedTarget } from '../audit/off-the-record.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { taskTarget } from './task-mutation.js';
import { workingTarget } from './working-values.js';

const batchSize = 500;

/** An undefined age means: kept until it is deleted explicitly. */
export interface StateAges {
  /** How long a plan's working memory is kept after the plan has finished. */
  finishedPlanAgeMs: number | undefined;
  /** How long a task context is kept after its last change. */
  taskContextAgeMs: number | undefined;
}

interface CleanedUp {
  expiredValues: number;
  /** Plans whose working memory was removed. */
  clearedPlans: number;
  taskContexts: number;
  /** Sessions that were off the record until a time that is over. */
  unrecordedSessions: number;
}

/** One kind of state to clean up. */
interface Sweep {
  /** The users who have something to remove. */
  owners(tables: Tables): Promise<string[]>;
  /** Removes up to `batchSize` items of the user and returns their audit targets. */
  remove(tables: Tables): Promise<string[]>;
}

/**
 * Removes a tenant's expired working values, the working memory of its finished plans, its stale task contexts, and sessions that are
 * on the record again.
 */
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
    unrecordedSessions: await run(endedSessions(now)),
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

function endedSessions(now: Date): Sweep {
  return {
    owners: (tables) => tables.unrecordedSessions.overOwners(now),
    async remove(tables) {
      return (await tables.unrecordedSessions.deleteOver(now, batchSize)).map(unrecordedTarget);
    },
  };
}

/** Removes each user's items in a transaction of that user, so that nothing in use is removed. */
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
