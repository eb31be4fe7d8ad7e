import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { workingTarget } from './working-target.js';

/** Answers whether there was a value to delete. */
export function deleteWorkingValue(
  engine: Engine,
  caller: Caller,
  input: { planId: string; key: string; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.workingValues.get(input.planId, input.key, now);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    tables.workingValues.delete(input.planId, input.key);
    const target = workingTarget(input.planId, input.key);
    return { result: true, mutations: [{ target, preEtag: current.etag, postEtag: null, contentHash: null }] };
  });
}
