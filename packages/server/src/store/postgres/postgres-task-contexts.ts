import type { Json } from '@memhall/core';
import type { TaskContext, TaskContexts } from '../../ports/task-contexts.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  task_id: string;
  plan_id: string | null;
  event_type: string;
  response_event: string | null;
  response_topic: string;
  data: { [key: string]: Json };
  sub_tasks: string[];
  state: { [key: string]: Json };
  etag: string;
  created_at: Date;
  updated_at: Date;
}

const columns =
  'task_id, plan_id, event_type, response_event, response_topic, data, sub_tasks, state, etag, created_at, updated_at';
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresTaskContexts(statements: Statements, { tenantId, userId }: TransactionScope): TaskContexts {
  return {
    async get(taskId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.task_contexts WHERE ${ofUser} AND task_id = $3`,
        [tenantId, userId, taskId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async findBySubTask(subTaskId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.task_sub_tasks JOIN memhall.task_contexts USING (tenant_id, user_id, task_id)
         WHERE ${ofUser} AND sub_task_id = $3 ORDER BY created_at DESC, task_id DESC LIMIT 1`,
        [tenantId, userId, subTaskId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    put(task) {
      statements.enqueue(
        `INSERT INTO memhall.task_contexts (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (tenant_id, user_id, task_id) DO UPDATE SET
           plan_id = excluded.plan_id, event_type = excluded.event_type, response_event = excluded.response_event,
           response_topic = excluded.response_topic, data = excluded.data, sub_tasks = excluded.sub_tasks,
           state = excluded.state, etag = excluded.etag, created_at = excluded.created_at,
           updated_at = excluded.updated_at`,
        [
          tenantId,
          userId,
          task.taskId,
          task.planId,
          task.eventType,
          task.responseEvent,
          task.responseTopic,
          JSON.stringify(task.data),
          task.subTasks,
          JSON.stringify(task.state),
          task.etag,
          task.createdAt,
          task.updatedAt,
        ],
      );
      statements.enqueue(
        `DELETE FROM memhall.task_sub_tasks WHERE ${ofUser} AND task_id = $3 AND sub_task_id <> ALL ($4::text[])`,
        [tenantId, userId, task.taskId, task.subTasks],
      );
      if (task.subTasks.length === 0) return;
      statements.enqueue(
        `INSERT INTO memhall.task_sub_tasks (tenant_id, user_id, sub_task_id, task_id)
         SELECT $1, $2, sub_task_id, $3 FROM unnest($4::text[]) AS sub_task_id ON CONFLICT DO NOTHING`,
        [tenantId, userId, task.taskId, task.subTasks],
      );
    },

    delete(taskId) {
      statements.enqueue(`DELETE FROM memhall.task_contexts WHERE ${ofUser} AND task_id = $3`, [
        tenantId,
        userId,
        taskId,
      ]);
    },

    async staleOwners(before) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM memhall.task_contexts WHERE tenant_id = $1 AND updated_at < $2 ORDER BY user_id`,
        [tenantId, before],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async deleteStale(before, limit) {
      const rows = await statements.query<{ task_id: string }>(
        `DELETE FROM memhall.task_contexts WHERE ${ofUser} AND task_id IN (
           SELECT task_id FROM memhall.task_contexts WHERE ${ofUser} AND updated_at < $3 ORDER BY updated_at LIMIT $4)
         RETURNING task_id`,
        [tenantId, userId, before, limit],
      );
      return rows.map(({ task_id }) => task_id);
    },
  };
}

function fromRow(row: Row): TaskContext {
  return {
    taskId: row.task_id,
    planId: row.plan_id,
    eventType: row.event_type,
    responseEvent: row.response_event,
    responseTopic: row.response_topic,
    data: row.data,
    subTasks: row.sub_tasks,
    state: row.state,
    etag: row.etag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
