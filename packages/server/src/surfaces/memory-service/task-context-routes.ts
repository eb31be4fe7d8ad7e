import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { changeSubTasks } from '../../engine/state/change-sub-tasks.js';
import { listTaskContexts } from '../../engine/state/list-task-contexts.js';
import {
  deleteTaskContext,
  findTaskBySubTask,
  getTaskContext,
  storeTaskContext,
  updateTaskContext,
} from '../../engine/state/task-contexts.js';
import { releaseLease, takeLease } from '../../engine/state/task-lease.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type * as stored from '../../ports/task-contexts.js';
import { toNormalText } from './normal-text.js';
import { etagHeader } from './state-schemas.js';
import {
  leaseBody,
  leaseReleaseQuery,
  SubTasksChanged,
  subTaskParams,
  subTasksBody,
  TaskContextEntry,
  TaskContextList,
  TaskContextStored,
  TaskLease,
  taskContextBody,
  taskContextChange,
  taskDeleteQuery,
  taskListQuery,
  taskParams,
} from './task-context-schemas.js';
import { toTaskContextEntry, toTaskContextList, toTaskLease } from './to-task-context.js';
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
        leaseSeconds: body.lease_seconds,
        precondition: toPrecondition(headers),
      });
      return {
        status: created ? 201 : 200,
        headers: { etag: `"${task.etag}"` },
        body: { task_id: task.taskId, created_at: task.createdAt.toISOString(), ...leaseOf(task.lease) },
      };
    },
  }),
  defineRoute({
    operation: 'tasks.list',
    method: 'GET',
    path: '/v1/memory/task-context',
    summary: 'List task contexts, least recently changed first, without their data and state.',
    access: 'user',
    request: { query: taskListQuery },
    responses: { 200: { description: 'One page of task contexts', schema: TaskContextList } },
    async handle(engine: Engine, { caller, query }) {
      const page = await listTaskContexts(engine, caller, {
        planId: query.plan_id,
        staleForSeconds: query.stale_for,
        limit: query.limit,
        cursor: query.cursor,
      });
      return { body: toTaskContextList(page) };
    },
  }),
  defineRoute({
    operation: 'tasks.bySubTask',
    method: 'GET',
    path: '/v1/memory/task-context/by-subtask/{subtask_id}',
    summary: 'Find the task that waits for a sub-task. If several do, the newest is returned.',
    description: 'A sub-task whose removal gave a lease finds its task until the task is deleted.',
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
    description:
      'With lease_id, the task is completed: for 24 hours, storing a task with the same id and If-None-Match: * is ' +
      'refused, so that a request that is delivered again does not start it again.',
    access: 'user',
    request: { params: taskParams, query: taskDeleteQuery, headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH', 'LEASE_LOST'],
    async handle(engine: Engine, { caller, params, query, headers }) {
      const input = { taskId: params.task_id, leaseId: query.lease_id, precondition: toPrecondition(headers) };
      if (!(await deleteTaskContext(engine, caller, input))) throw noSuchTask();
      return {};
    },
  }),
  defineRoute({
    operation: 'tasks.changeSubTasks',
    method: 'POST',
    path: '/v1/memory/task-context/{task_id}/sub-tasks',
    summary: 'Add and remove sub-tasks atomically, regardless of concurrent changes.',
    description:
      'With lease_seconds, the caller that removes the last sub-task gets the lease of the task. If the result of that ' +
      'sub-task is delivered again, its caller gets the lease once that has expired, and LEASE_HELD until then. ' +
      'Sub-tasks that are added end the lease.',
    access: 'user',
    request: { params: taskParams, body: subTasksBody },
    responses: { 200: { description: 'The changed list', schema: SubTasksChanged, headers } },
    problems: ['NOT_FOUND', 'LEASE_HELD', 'LEASE_LOST'],
    async handle(engine: Engine, { caller, params, body }) {
      const changed = await changeSubTasks(engine, caller, {
        taskId: params.task_id,
        add: body.add,
        remove: body.remove,
        leaseId: body.lease_id,
        leaseSeconds: body.lease_seconds,
      });
      if (changed === undefined) throw noSuchTask();
      const { task, removed, becameEmpty, lease } = changed;
      return {
        headers: { etag: `"${task.etag}"` },
        body: { sub_tasks: task.subTasks, removed, became_empty: becameEmpty, ...leaseOf(lease) },
      };
    },
  }),
  defineRoute({
    operation: 'tasks.takeLease',
    method: 'POST',
    path: '/v1/memory/task-context/{task_id}/lease',
    summary: 'Take the lease of a task that waits for no sub-task, or renew it.',
    access: 'user',
    request: { params: taskParams, body: leaseBody },
    responses: { 200: { description: 'The lease', schema: TaskLease } },
    problems: ['NOT_FOUND', 'LEASE_HELD', 'LEASE_LOST', 'CONFLICT'],
    async handle(engine: Engine, { caller, params, body }) {
      const input = { taskId: params.task_id, seconds: body.lease_seconds, leaseId: body.lease_id };
      const lease = await takeLease(engine, caller, input);
      if (lease === undefined) throw noSuchTask();
      return { body: toTaskLease(lease) };
    },
  }),
  defineRoute({
    operation: 'tasks.releaseLease',
    method: 'DELETE',
    path: '/v1/memory/task-context/{task_id}/lease',
    summary: 'Let the lease of a task expire now, so that another worker can take it.',
    access: 'user',
    request: { params: taskParams, query: leaseReleaseQuery },
    responses: { 204: { description: 'Released' } },
    problems: ['NOT_FOUND', 'LEASE_LOST'],
    async handle(engine: Engine, { caller, params, query }) {
      const lease = await releaseLease(engine, caller, { taskId: params.task_id, leaseId: query.lease_id });
      if (lease === undefined) throw noSuchTask();
      return {};
    },
  }),
];

function leaseOf(lease: stored.TaskLease | null) {
  return lease === null ? {} : { lease: toTaskLease(lease) };
}

function reply(task: stored.TaskContext | undefined): RouteReply {
  if (task === undefined) throw noSuchTask();
  return { headers: { etag: `"${task.etag}"` }, body: toTaskContextEntry(task) };
}

function noSuchTask(): Problem {
  return new Problem('NOT_FOUND', 'The task context does not exist. It was never stored, or it was deleted.');
}
