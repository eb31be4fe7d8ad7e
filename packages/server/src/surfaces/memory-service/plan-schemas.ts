import { Type } from 'typebox';
import { planStatuses } from '../../engine/state/plans.js';
import { Id, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { PlanId, SessionId } from './limits.js';
import { Count, closed, JsonObject, nullable } from './shared-schemas.js';
import { awaited, EventName, JsonObjectOrEmpty } from './state-schemas.js';

const Status = Type.Enum(planStatuses);
const StateName = Type.String({ minLength: 1, maxLength: 255 });
const waitedFor = 'Ids of the events that the plan waits for';

export const correlationParams = Type.Object({ correlation_id: Id });

export const planBody = Type.Object(
  {
    plan_id: PlanId,
    goal_event: EventName,
    goal_data: JsonObjectOrEmpty,
    status: Type.Enum(planStatuses, { default: 'running' }),
    state: JsonObjectOrEmpty,
    current_state: Type.Optional(StateName),
    response_event: Type.Optional(EventName),
    correlation_ids: awaited(Id, waitedFor, { default: [] }),
    session_id: Type.Optional(SessionId),
    parent_plan_id: Type.Optional(PlanId),
    ...onBehalfOf,
  },
  closed,
);

export const planChange = Type.Object(
  {
    status: Type.Optional(Status),
    state: Type.Optional(JsonObject),
    current_state: Type.Optional(nullable(StateName)),
    response_event: Type.Optional(nullable(EventName)),
    correlation_ids: Type.Optional(awaited(Id, waitedFor)),
    ...onBehalfOf,
  },
  closed,
);

export const correlationsBody = Type.Object(
  {
    add: awaited(Id, 'Appended to the ids unless already among them', { default: [] }),
    remove: awaited(Id, 'Removed from the ids if among them', { default: [] }),
    ...onBehalfOf,
  },
  closed,
);

export const planListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...planStatuses, 'active'], { description: 'active: running or paused' })),
    session_id: Type.Optional(SessionId),
    ...pageQuery,
    ...onBehalfOf,
  },
  closed,
);

const summary = {
  plan_id: PlanId,
  goal_event: EventName,
  goal_data: JsonObject,
  status: Status,
  current_state: nullable(StateName),
  response_event: nullable(EventName),
  correlation_ids: Type.Array(Id),
  session_id: nullable(SessionId),
  parent_plan_id: nullable(PlanId),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: nullable(Timestamp),
};

/** A plan in a list. Omits `state`, which can be large. */
export const PlanSummary = Type.Object(summary, { title: 'PlanSummary' });

export const Plan = Type.Object({ ...summary, state: JsonObject }, { title: 'Plan' });

export const PlanList = Type.Object(
  { plans: Type.Array(PlanSummary), count: Count, next_cursor: nextCursor },
  { title: 'PlanList' },
);

export const CorrelationsChanged = Type.Object(
  {
    correlation_ids: Type.Array(Id, { description: 'The ids after the change' }),
    removed: Type.Array(Id, { description: 'Ids that this call removed. Each is removed by exactly one call.' }),
    became_empty: Type.Boolean({
      description: 'Whether this call removed the last id. True for exactly one of several concurrent callers.',
    }),
  },
  { title: 'CorrelationsChanged' },
);
