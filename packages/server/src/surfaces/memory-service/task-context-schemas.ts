import { Type } from 'typebox';
import { leaseLimits } from '../../engine/state/task-lease.js';
import { Id, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { PlanId, TaskId } from './limits.js';
import { Count, closed, JsonObject, nullable } from './shared-schemas.js';
import { awaited, EventName, JsonObjectOrEmpty } from './state-schemas.js';

const Topic = Type.String({ minLength: 1, maxLength: 100 });

const maxStaleSeconds = 10 * 365 * 24 * 3600;

const leaseRange = { minimum: 1, maximum: leaseLimits.maxSeconds };
const ownLease = "The caller's lease. LEASE_LOST if it is no longer the task's.";
const LeaseId = Type.String({ ...Id, description: ownLease });

export const taskParams = Type.Object({ task_id: TaskId });
export const subTaskParams = Type.Object({ subtask_id: TaskId });

export const taskContextBody = Type.Object(
  {
    task_id: TaskId,
    plan_id: Type.Optional(PlanId),
    event_type: EventName,
    response_event: Type.Optional(EventName),
    response_topic: Type.String({ ...Topic, default: 'action-results' }),
    data: JsonObjectOrEmpty,
    sub_tasks: awaited(TaskId, 'Delegated sub-tasks that are not done yet', { default: [] }),
    state: JsonObjectOrEmpty,
    lease_seconds: Type.Optional(
      Type.Integer({ ...leaseRange, description: 'Take the lease of the new task for this long. Absent: no lease' }),
    ),
    ...onBehalfOf,
  },
  closed,
);

export const taskListQuery = Type.Object(
  {
    plan_id: Type.Optional(PlanId),
    stale_for: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxStaleSeconds,
        description: 'Only tasks that have not changed for this many seconds',
      }),
    ),
    ...pageQuery,
    ...onBehalfOf,
  },
  closed,
);

export const taskDeleteQuery = Type.Object({ lease_id: Type.Optional(LeaseId), ...onBehalfOf }, closed);
export const leaseReleaseQuery = Type.Object({ lease_id: LeaseId, ...onBehalfOf }, closed);

export const leaseBody = Type.Object(
  {
    lease_seconds: Type.Integer({ ...leaseRange, default: leaseLimits.defaultSeconds }),
    lease_id: Type.Optional(Type.String({ ...Id, description: `${ownLease} Given: it is renewed.` })),
    ...onBehalfOf,
  },
  closed,
);

export const taskContextChange = Type.Object(
  {
    sub_tasks: Type.Optional(awaited(TaskId, 'Replaces the whole list')),
    state: Type.Optional(JsonObject),
    ...onBehalfOf,
  },
  closed,
);

export const subTasksBody = Type.Object(
  {
    add: awaited(TaskId, 'Appended to the list unless already in it', { default: [] }),
    remove: awaited(TaskId, 'Removed from the list if in it', { default: [] }),
    lease_id: Type.Optional(LeaseId),
    lease_seconds: Type.Optional(
      Type.Integer({
        ...leaseRange,
        description: 'Take the lease of the task for this long if nothing is left to wait for. Absent: no lease',
      }),
    ),
    ...onBehalfOf,
  },
  closed,
);

/** The right to take the next step of a task. */
export const TaskLease = Type.Object(
  {
    lease_id: Id,
    expires_at: Type.String({ ...Timestamp, description: 'From then on, another worker can take the lease' }),
    next: Type.Enum(['delegate', 'complete'], {
      description: 'complete: every sub-task is finished. delegate: the task has not waited for any yet.',
    }),
  },
  { title: 'TaskLease' },
);

export const TaskContextStored = Type.Object(
  { task_id: TaskId, created_at: Timestamp, lease: Type.Optional(TaskLease) },
  { title: 'TaskContextStored' },
);

const summary = {
  task_id: TaskId,
  plan_id: nullable(PlanId),
  event_type: EventName,
  response_event: nullable(EventName),
  response_topic: Topic,
  sub_tasks: Type.Array(TaskId),
  leased_until: Type.Optional(
    Type.String({ ...Timestamp, description: 'When the lease expires, or did. Absent: no worker has a lease' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A task context in a list. Omits `data` and `state`, which can be large. */
export const TaskContextSummary = Type.Object(summary, { title: 'TaskContextSummary' });

export const TaskContextEntry = Type.Object(
  { ...summary, data: JsonObject, state: JsonObject },
  { title: 'TaskContextEntry' },
);

export const TaskContextList = Type.Object(
  { task_contexts: Type.Array(TaskContextSummary), count: Count, next_cursor: nextCursor },
  { title: 'TaskContextList' },
);

export const SubTasksChanged = Type.Object(
  {
    sub_tasks: Type.Array(TaskId, { description: 'The list after the change' }),
    removed: Type.Array(TaskId, { description: 'Sub-tasks that this call removed' }),
    became_empty: Type.Boolean({
      description: 'Whether this call removed the last sub-task. True for exactly one of several concurrent callers.',
    }),
    lease: Type.Optional(TaskLease),
  },
  { title: 'SubTasksChanged' },
);
