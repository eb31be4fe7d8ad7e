import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { Plan, PlanStatus } from '../../ports/plans.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { planMutation } from './plan-mutation.js';
import { isFinished } from './plan-status.js';

export interface CreatePlan {
  planId: string;
  goalEvent: string;
  goalData: { [key: string]: Json };
  status: PlanStatus;
  state: { [key: string]: Json };
  currentState: string | null;
  responseEvent: string | null;
  /** Repeated ids count once. */
  correlationIds: readonly string[];
  /** Neither the session nor the parent need exist. */
  sessionId: string | null;
  parentPlanId: string | null;
}

/** Throws CONFLICT when the user has a plan with this id. */
export function createPlan(engine: Engine, caller: Caller, input: CreatePlan): Promise<Plan> {
  return mutate(engine, caller, async (tables, now) => {
    if ((await tables.plans.get(input.planId)) !== undefined) {
      throw new Problem('CONFLICT', `There is a plan "${input.planId}" already: update it, or choose another id.`);
    }
    const plan: Plan = {
      ...input,
      correlationIds: [...new Set(input.correlationIds)],
      etag: uuidv7(now.getTime()),
      createdAt: now,
      updatedAt: now,
      finishedAt: isFinished(input.status) ? now : null,
    };
    tables.plans.put(plan);
    return { result: plan, mutations: [planMutation(plan.planId, undefined, plan)] };
  });
}
