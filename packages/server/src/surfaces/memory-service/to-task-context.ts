import type { Static } from 'typebox';
import type { Page } from '../../engine/page.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type * as stored from '../../ports/task-contexts.js';
import type { TaskContextEntry, TaskContextList, TaskContextSummary, TaskLease } from './task-context-schemas.js';

export function toTaskContextEntry(task: stored.TaskContext): Static<typeof TaskContextEntry> {
  return { ...toTaskContextSummary(task), data: task.data, state: task.state };
}

export function toTaskContextList(page: Page<stored.TaskSummary>): Static<typeof TaskContextList> {
  return {
    task_contexts: page.items.map(toTaskContextSummary),
    count: page.items.length,
    ...toNextCursor(page.nextCursor),
  };
}

export function toTaskLease({ id, expiresAt, subTasks }: stored.TaskLease): Static<typeof TaskLease> {
  const next = subTasks.length === 0 ? 'delegate' : 'complete';
  return { lease_id: id, expires_at: expiresAt.toISOString(), next };
}

function toTaskContextSummary(task: stored.TaskSummary): Static<typeof TaskContextSummary> {
  return {
    task_id: task.taskId,
    plan_id: task.planId,
    event_type: task.eventType,
    response_event: task.responseEvent,
    response_topic: task.responseTopic,
    sub_tasks: task.subTasks,
    ...(task.lease === null ? {} : { leased_until: task.lease.expiresAt.toISOString() }),
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
