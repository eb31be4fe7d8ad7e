import { Type } from 'typebox';
import { onBehalfOf, Timestamp } from '../../http/wire-schemas.js';
import { PlanId, TaskId } from './limits.js';
import { closed, JsonObject, nullable } from './shared-schemas.js';
import { awaited, EventName, JsonObjectOrEmpty } from './state-schemas.js';

const Topic = Type.String({ minLength: 1, maxLength: 100 });

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
    ...onBehalfOf,
  },
  closed,
);

export const TaskContextStored = Type.Object(
  { task_id: TaskId, created_at: Timestamp },
  { title: 'TaskContextStored' },
);

export const TaskContextEntry = Type.Object(
  {
    task_id: TaskId,
    plan_id: nullable(PlanId),
    event_type: EventName,
    response_event: nullable(EventName),
    response_topic: Topic,
    data: JsonObject,
    sub_tasks: Type.Array(TaskId),
    state: JsonObject,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'TaskContextEntry' },
);

export const SubTasksChanged = Type.Object(
  {
    sub_tasks: Type.Array(TaskId, { description: 'The list after the change' }),
    removed: Type.Array(TaskId, { description: 'Sub-tasks that this call removed' }),
    became_empty: Type.Boolean({
      description: 'Whether this call removed the last sub-task. True for exactly one of several concurrent callers.',
    }),
  },
  { title: 'SubTasksChanged' },
);
