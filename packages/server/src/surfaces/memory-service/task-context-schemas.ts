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
    sub_tasks: awaited(TaskId, 'What was delegated and is not done yet', { default: [] }),
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
    add: awaited(TaskId, 'Put at the end of the list unless they are in it', { default: [] }),
    remove: awaited(TaskId, 'Taken off the list if they are in it', { default: [] }),
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
    sub_tasks: Type.Array(TaskId, { description: 'The list as it is now' }),
    removed: Type.Array(TaskId, { description: 'What this call took off it' }),
    became_empty: Type.Boolean({ description: 'Whether this call took the last one off: true for exactly one caller' }),
  },
  { title: 'SubTasksChanged' },
);
