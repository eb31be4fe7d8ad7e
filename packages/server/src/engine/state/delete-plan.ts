import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { planMutation } from './plan-mutation.js';
import { workingTarget } from './working-target.js';

/** Deletes a plan with its working memory and answers whether there was one. */
export function deletePlan(
  engine: Engine,
  caller: Caller,
  input: { planId: string; precondition: Precondition },
): Promise<boolean> {
  const { planId, precondition } = input;
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.plans.get(planId);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(precondition, current.etag);
    tables.plans.delete(planId);
    const values = await tables.workingValues.deletePlan(planId, now);
    const cleared = { target: workingTarget(planId), preEtag: null, postEtag: null, contentHash: null };
    return {
      result: true,
      mutations: [planMutation(planId, current, undefined), ...(values > 0 ? [cleared] : [])],
    };
  });
}
