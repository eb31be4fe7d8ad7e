import type { Static } from 'typebox';
import type { Page } from '../../engine/page.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type * as stored from '../../ports/plans.js';
import type { Plan, PlanList, PlanSummary } from './plan-schemas.js';

export function toPlan(plan: stored.Plan): Static<typeof Plan> {
  return { ...toPlanSummary(plan), state: plan.state };
}

export function toPlanSummary(plan: stored.PlanSummary): Static<typeof PlanSummary> {
  return {
    plan_id: plan.planId,
    goal_event: plan.goalEvent,
    goal_data: plan.goalData,
    status: plan.status,
    current_state: plan.currentState,
    response_event: plan.responseEvent,
    correlation_ids: plan.correlationIds,
    session_id: plan.sessionId,
    parent_plan_id: plan.parentPlanId,
    created_at: plan.createdAt.toISOString(),
    updated_at: plan.updatedAt.toISOString(),
    finished_at: plan.finishedAt?.toISOString() ?? null,
  };
}

export function toPlanList(page: Page<stored.PlanSummary>): Static<typeof PlanList> {
  return {
    plans: page.items.map(toPlanSummary),
    count: page.items.length,
    ...toNextCursor(page.nextCursor),
  };
}
