import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { workingTarget } from './working-target.js';

/** Deletes a plan's whole working memory and answers how many values that were. */
export function clearWorkingValues(engine: Engine, caller: Caller, input: { planId: string }): Promise<number> {
  return mutate(engine, caller, async (tables, now) => {
    const deleted = await tables.workingValues.deletePlan(input.planId, now);
    const mutation = { target: workingTarget(input.planId), preEtag: null, postEtag: null, contentHash: null };
    return { result: deleted, mutations: deleted > 0 ? [mutation] : [] };
  });
}
