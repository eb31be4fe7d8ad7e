import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { changeCorrelations } from '../../engine/state/change-correlations.js';
import {
  createPlan,
  deletePlan,
  findPlanByCorrelation,
  getPlan,
  listPlans,
  updatePlan,
} from '../../engine/state/plans.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type * as stored from '../../ports/plans.js';
import { toNormalText } from './normal-text.js';
import {
  CorrelationsChanged,
  correlationParams,
  correlationsBody,
  Plan,
  PlanList,
  planBody,
  planChange,
  planListQuery,
} from './plan-schemas.js';
import { etagHeader } from './state-schemas.js';
import { toPlan, toPlanList } from './to-plan.js';
import { ifMatchHeader, planParams, userQuery } from './working-schemas.js';

const headers = etagHeader('plan');

export const planRoutes = [
  defineRoute({
    operation: 'plans.create',
    method: 'POST',
    path: '/v1/memory/plans',
    summary: 'Create a plan.',
    access: 'user',
    request: { body: planBody },
    responses: { 201: { description: 'The plan', schema: Plan, headers } },
    problems: ['CONFLICT', 'OFF_THE_RECORD'],
    async handle(engine: Engine, { caller, body }) {
      const plan = await createPlan(engine, caller, {
        planId: body.plan_id,
        goalEvent: toNormalText(body.goal_event),
        goalData: body.goal_data,
        status: body.status,
        state: body.state,
        currentState: toNormalText(body.current_state ?? null),
        responseEvent: toNormalText(body.response_event ?? null),
        correlationIds: body.correlation_ids,
        sessionId: body.session_id ?? null,
        parentPlanId: body.parent_plan_id ?? null,
      });
      return reply(plan);
    },
  }),
  defineRoute({
    operation: 'plans.list',
    method: 'GET',
    path: '/v1/memory/plans',
    summary: 'List plans, newest first, without their state.',
    access: 'user',
    request: { query: planListQuery },
    responses: { 200: { description: 'One page of plans', schema: PlanList } },
    async handle(engine: Engine, { caller, query }) {
      const page = await listPlans(engine, caller, {
        filter: { status: query.status, sessionId: query.session_id },
        limit: query.limit,
        cursor: query.cursor,
      });
      return { body: toPlanList(page) };
    },
  }),
  defineRoute({
    operation: 'plans.byCorrelation',
    method: 'GET',
    path: '/v1/memory/plans/by-correlation/{correlation_id}',
    summary: 'Find the unfinished plan that waits for an event. If several do, the newest is returned.',
    access: 'user',
    request: { params: correlationParams, query: userQuery },
    responses: { 200: { description: 'The plan', schema: Plan, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return reply(await findPlanByCorrelation(engine, caller, { correlationId: params.correlation_id }));
    },
  }),
  defineRoute({
    operation: 'plans.get',
    method: 'GET',
    path: '/v1/memory/plans/{plan_id}',
    summary: 'Read a plan with its state.',
    access: 'user',
    request: { params: planParams, query: userQuery },
    responses: { 200: { description: 'The plan', schema: Plan, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return reply(await getPlan(engine, caller, { planId: params.plan_id }));
    },
  }),
  defineRoute({
    operation: 'plans.update',
    method: 'PUT',
    path: '/v1/memory/plans/{plan_id}',
    summary: 'Update a plan. Each given field is replaced as a whole.',
    access: 'user',
    request: { params: planParams, headers: ifMatchHeader, body: planChange },
    responses: { 200: { description: 'The updated plan', schema: Plan, headers } },
    problems: ['NOT_FOUND', 'INVALID_TRANSITION', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const plan = await updatePlan(engine, caller, {
        planId: params.plan_id,
        status: body.status,
        state: body.state,
        currentState: toNormalText(body.current_state),
        responseEvent: toNormalText(body.response_event),
        correlationIds: body.correlation_ids,
        precondition: toPrecondition(headers),
      });
      return reply(plan);
    },
  }),
  defineRoute({
    operation: 'plans.changeCorrelations',
    method: 'POST',
    path: '/v1/memory/plans/{plan_id}/correlations',
    summary: 'Add and remove ids of awaited events atomically, regardless of concurrent changes.',
    access: 'user',
    request: { params: planParams, body: correlationsBody },
    responses: { 200: { description: 'The changed ids', schema: CorrelationsChanged, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params, body }) {
      const input = { planId: params.plan_id, add: body.add, remove: body.remove };
      const changed = await changeCorrelations(engine, caller, input);
      if (changed === undefined) throw noSuchPlan();
      const { plan, removed, becameEmpty } = changed;
      return {
        headers: { etag: `"${plan.etag}"` },
        body: { correlation_ids: plan.correlationIds, removed, became_empty: becameEmpty },
      };
    },
  }),
  defineRoute({
    operation: 'plans.delete',
    method: 'DELETE',
    path: '/v1/memory/plans/{plan_id}',
    summary: 'Delete a plan and its working memory.',
    access: 'user',
    request: { params: planParams, query: userQuery, headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers }) {
      const input = { planId: params.plan_id, precondition: toPrecondition(headers) };
      if (!(await deletePlan(engine, caller, input))) throw noSuchPlan();
      return {};
    },
  }),
];

function reply(plan: stored.Plan | undefined): RouteReply {
  if (plan === undefined) throw noSuchPlan();
  return { headers: { etag: `"${plan.etag}"` }, body: toPlan(plan) };
}

function noSuchPlan(): Problem {
  return new Problem('NOT_FOUND', 'The plan does not exist. It was never created, or it was deleted.');
}
