import { type Json, uuidv7 } from '@memhall/core';
import type { Plan, PlanStatus } from '../../ports/plans.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { planMutation } from './plan-mutation.js';
import { checkTransition, isFinished } from './plan-status.js';

/** undefined: stays as it is. */
export interface UpdatePlan {
  planId: string;
  status: PlanStatus | undefined;
  state: { [key: string]: Json } | undefined;
  currentState: string | null | undefined;
  responseEvent: string | null | undefined;
  correlationIds: readonly string[] | undefined;
  precondition: Precondition;
}

/** Replaces what is given, whole. Throws INVALID_TRANSITION. undefined: there is no such plan. */
export function updatePlan(engine: Engine, caller: Caller, input: UpdatePlan): Promise<Plan | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.plans.get(input.planId);
    if (current === undefined) return { result: undefined, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    const status = input.status ?? current.status;
    checkTransition(current.status, status);
    const plan: Plan = {
      ...current,
      status,
      state: input.state ?? current.state,
      currentState: input.currentState === undefined ? current.currentState : input.currentState,
      responseEvent: input.responseEvent === undefined ? current.responseEvent : input.responseEvent,
      correlationIds: input.correlationIds === undefined ? current.correlationIds : [...new Set(input.correlationIds)],
      etag: uuidv7(now.getTime()),
      updatedAt: now,
      finishedAt: isFinished(status) ? (current.finishedAt ?? now) : null,
    };
    tables.plans.put(plan);
    return { result: plan, mutations: [planMutation(plan.planId, current, plan)] };
  });
}
