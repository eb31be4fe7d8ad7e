import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import {
  changeSubTasks,
  deleteTaskContext,
  findTaskBySubTask,
  getTaskContext,
  storeTaskContext,
  updateTaskContext,
} from '../../engine/state/task-contexts.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type { TaskContext } from '../../ports/task-contexts.js';
import { toNormalText } from './normal-text.js';
import { etagHeader } from './state-schemas.js';
import {
  SubTasksChanged,
  subTaskParams,
  subTasksBody,
  TaskContextEntry,
  TaskContextStored,
  taskContextBody,
  taskContextChange,
  taskParams,
} from './task-context-schemas.js';
import { toTaskContextEntry } from './to-task-context.js';
import { ifMatchHeader, userQuery, writeHeaders } from './working-schemas.js';

const headers = etagHeader('task context');

export const taskContextRoutes = [
  defineRoute({
    operation: 'tasks.store',
    method: 'POST',
    path: '/v1/memory/task-context',
    summary: 'Store a task context. Replaces all fields of the one with the same id.',
    access: 'user',
    request: { headers: writeHeaders, body: taskContextBody },
    responses: {
      201: { description: 'Created', schema: TaskContextStored, headers },
      200: { description: 'Replaced. created_at is unchanged', schema: TaskContextStored, headers },
    },
    problems: ['ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, headers, body }) {
      const { task, created } = await storeTaskContext(engine, caller, {
        taskId: body.task_id,
        planId: body.plan_id ?? null,
        eventType: toNormalText(body.event_type),
        responseEvent: toNormalText(body.response_event ?? null),
        responseTopic: toNormalText(body.response_topic),
        data: body.data,
        subTasks: body.sub_tasks,
        state: body.state,
        precondition: toPrecondition(headers),
      });
      return {
        status: created ? 201 : 200,
        headers: { etag: `"${task.etag}"` },
        body: { task_id: task.taskId, created_at: task.createdAt.toISOString() },
      };
    },
  }),
  defineRoute({
    operation: 'tasks.bySubTask',
    method: 'GET',
    path: '/v1/memory/task-context/by-subtask/{subtask_id}',
    summary: 'Find the task that waits for a sub-task. If several do, the newest is returned.',
    access: 'user',
    request: { params: subTaskParams, query: userQuery },
    responses: { 200: { description: 'The task context', schema: TaskContextEntry, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return reply(await findTaskBySubTask(engine, caller, { subTaskId: params.subtask_id }));
    },
  }),
  defineRoute({
    operation: 'tasks.get',
    method: 'GET',
    path: '/v1/memory/task-context/{task_id}',
    summary: 'Read a task context.',
    access: 'user',
    request: { params: taskParams, query: userQuery },
    responses: { 200: { description: 'The task context', schema: TaskContextEntry, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return reply(await getTaskContext(engine, caller, { taskId: params.task_id }));
    },
  }),
  defineRoute({
    operation: 'tasks.update',
    method: 'PUT',
    path: '/v1/memory/task-context/{task_id}',
    summary: 'Replace the list of sub-tasks of a task context, its state, or both.',
    access: 'user',
    request: { params: taskParams, headers: ifMatchHeader, body: taskContextChange },
    responses: { 200: { description: 'The updated task context', schema: TaskContextEntry, headers } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const task = await updateTaskContext(engine, caller, {
        taskId: params.task_id,
        subTasks: body.sub_tasks,
        state: body.state,
        precondition: toPrecondition(headers),
      });
      return reply(task);
    },
  }),
  defineRoute({
    operation: 'tasks.delete',
    method: 'DELETE',
    path: '/v1/memory/task-context/{task_id}',
    summary: 'Delete a task context.',
    access: 'user',
    request: { params: taskParams, query: userQuery, headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers }) {
      const input = { taskId: params.task_id, precondition: toPrecondition(headers) };
      if (!(await deleteTaskContext(engine, caller, input))) throw noSuchTask();
      return {};
    },
  }),
  defineRoute({
    operation: 'tasks.changeSubTasks',
    method: 'POST',
    path: '/v1/memory/task-context/{task_id}/sub-tasks',
    summary: 'Add and remove sub-tasks atomically, regardless of concurrent changes.',
    access: 'user',
    request: { params: taskParams, body: subTasksBody },
    responses: { 200: { description: 'The changed list', schema: SubTasksChanged, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params, body }) {
      const changed = await changeSubTasks(engine, caller, {
        taskId: params.task_id,
        add: body.add,
        remove: body.remove,
      });
      if (changed === undefined) throw noSuchTask();
      const { task, removed, becameEmpty } = changed;
      return {
        headers: { etag: `"${task.etag}"` },
        body: { sub_tasks: task.subTasks, removed, became_empty: becameEmpty },
      };
    },
  }),
];

function reply(task: TaskContext | undefined): RouteReply {
  if (task === undefined) throw noSuchTask();
  return { headers: { etag: `"${task.etag}"` }, body: toTaskContextEntry(task) };
}

function noSuchTask(): Problem {
  return new Problem('NOT_FOUND', 'The task context does not exist. It was never stored, or it was deleted.');
}
