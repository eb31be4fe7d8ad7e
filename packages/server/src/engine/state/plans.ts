import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { Plan, PlanFilter, PlanStatus, PlanSummary } from '../../ports/plans.js';
import { mutate } from '../audit/mutate.js';
import { refuseOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';
import { planMutation } from './plan-mutation.js';
import { workingTarget } from './working-values.js';

export const planStatuses = ['running', 'paused', 'completed', 'failed', 'cancelled'] as const;

function isFinished(status: PlanStatus): boolean {
  return status !== 'running' && status !== 'paused';
}

/** Throws INVALID_TRANSITION if a finished plan would change its status. Every other transition is allowed. */
function checkTransition(from: PlanStatus, to: PlanStatus): void {
  if (from === to || !isFinished(from)) return;
  throw new Problem('INVALID_TRANSITION', `The plan is ${from} and cannot become ${to}: create a new plan.`, {
    details: { from, to },
  });
}

export function getPlan(engine: Engine, caller: Caller, input: { planId: string }): Promise<Plan | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.plans.get(input.planId));
}

/** Returns the plan that waits for an event, the newest if several do. Finished plans do not wait. */
export function findPlanByCorrelation(
  engine: Engine,
  caller: Caller,
  input: { correlationId: string },
): Promise<Plan | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.plans.findByCorrelation(input.correlationId));
}

/** Newest first. */
export async function listPlans(
  engine: Engine,
  caller: Caller,
  input: { filter: PlanFilter; limit: number; cursor: string | undefined },
): Promise<Page<PlanSummary>> {
  const before = decodeTimeCursor(input.cursor);
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.plans.list(input.filter, { before, limit: input.limit + 1 }),
  );
  return toPlanPage(rows, input.limit);
}

export function toPlanPage(rows: PlanSummary[], limit: number): Page<PlanSummary> {
  return toPage(rows, limit, ({ createdAt, planId }) => timePosition(createdAt, planId));
}

interface CreatePlan {
  planId: string;
  goalEvent: string;
  goalData: { [key: string]: Json };
  status: PlanStatus;
  state: { [key: string]: Json };
  currentState: string | null;
  responseEvent: string | null;
  /** Duplicates are dropped. */
  correlationIds: readonly string[];
  /** Neither the session nor the parent has to exist. */
  sessionId: string | null;
  parentPlanId: string | null;
}

/** Throws CONFLICT if the user already has a plan with this id, or OFF_THE_RECORD. */
export async function createPlan(engine: Engine, caller: Caller, input: CreatePlan): Promise<Plan> {
  await refuseOffTheRecord(engine, caller, input.sessionId);
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

/** An undefined field stays unchanged. */
interface UpdatePlan {
  planId: string;
  status: PlanStatus | undefined;
  state: { [key: string]: Json } | undefined;
  currentState: string | null | undefined;
  responseEvent: string | null | undefined;
  correlationIds: readonly string[] | undefined;
  precondition: Precondition;
}

/** Replaces each given field completely. Throws INVALID_TRANSITION. Returns undefined if there is no such plan. */
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

/** Deletes a plan with its working memory. Returns false if there was no such plan. */
export function deletePlan(
  engine: Engine,
  caller: Caller,
  input: { planId: string; precondition: Precondition },
): Promise<boolean> {
  const { planId, precondition } = input;
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
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
