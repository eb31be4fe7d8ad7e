import { Problem, uuidv7 } from '@memhall/core';
import type { Plan } from '../../ports/plans.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { planMutation } from './plan-mutation.js';
import { maxAwaitedIds } from './state-limits.js';

interface CorrelationChange {
  planId: string;
  add: readonly string[];
  remove: readonly string[];
}

interface ChangedCorrelations {
  plan: Plan;
  /** The ids of `remove` that the plan waited for, in its order. Each id is removed for only one of several callers. */
  removed: string[];
  /** Whether this change removed the last id. True for only one of several concurrent callers. */
  becameEmpty: boolean;
}

/**
 * Adds and removes ids of events that a plan waits for, without losing concurrent changes. Adding an id that is present
 * and removing one that is absent change nothing. Returns undefined if there is no such plan.
 */
export async function changeCorrelations(
  engine: Engine,
  caller: Caller,
  { planId, ...input }: CorrelationChange,
): Promise<ChangedCorrelations | undefined> {
  const remove = new Set(input.remove);
  const both = input.add.find((id) => remove.has(id));
  if (both !== undefined) {
    throw new Problem('INVALID_REQUEST', `"${both}" is to be added and removed at once: name it in one list.`);
  }
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.plans.get(planId);
    if (current === undefined) return { result: undefined, mutations: [] };
    const removed = current.correlationIds.filter((id) => remove.has(id));
    const correlationIds = [...new Set([...current.correlationIds.filter((id) => !remove.has(id)), ...input.add])];
    if (correlationIds.length > maxAwaitedIds) {
      throw new Problem('INVALID_REQUEST', `A plan can wait for ${maxAwaitedIds} events at the most.`);
    }
    const becameEmpty = removed.length > 0 && correlationIds.length === 0;
    const isSame = removed.length === 0 && correlationIds.length === current.correlationIds.length;
    if (isSame) return { result: { plan: current, removed, becameEmpty }, mutations: [] };
    const plan: Plan = { ...current, correlationIds, etag: uuidv7(now.getTime()), updatedAt: now };
    tables.plans.put(plan);
    return { result: { plan, removed, becameEmpty }, mutations: [planMutation(planId, current, plan)] };
  });
}
