import type { Static } from 'typebox';
import type { TaskContext } from '../../ports/task-contexts.js';
import type { TaskContextEntry } from './task-context-schemas.js';

export function toTaskContextEntry(task: TaskContext): Static<typeof TaskContextEntry> {
  return {
    task_id: task.taskId,
    plan_id: task.planId,
    event_type: task.eventType,
    response_event: task.responseEvent,
    response_topic: task.responseTopic,
    data: task.data,
    sub_tasks: task.subTasks,
    state: task.state,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
