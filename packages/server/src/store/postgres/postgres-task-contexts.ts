import type { Json } from '@memhall/core';
import type { TaskContext, TaskContexts, TaskFilter, TaskSummary } from '../../ports/task-contexts.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface SummaryRow {
  task_id: string;
  plan_id: string | null;
  event_type: string;
  response_event: string | null;
  response_topic: string;
  sub_tasks: string[];
  lease_id: string | null;
  lease_expires_at: Date | null;
  lease_sub_tasks: string[] | null;
  etag: string;
  created_at: Date;
  updated_at: Date;
}

type Row = SummaryRow & { data: { [key: string]: Json }; state: { [key: string]: Json } };

const summaryColumns =
  'task_id, plan_id, event_type, response_event, response_topic, sub_tasks, lease_id, lease_expires_at, lease_sub_tasks, etag, created_at, updated_at';
const columns = `${summaryColumns}, data, state`;
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

    async list(filter, { after, limit }) {
      const values: unknown[] = [tenantId, userId];
      const conditions = taskConditions(filter, after, values);
      const rows = await statements.query<SummaryRow>(
        `SELECT ${summaryColumns} FROM memhall.task_contexts WHERE ${ofUser}${conditions}
         ORDER BY updated_at, task_id LIMIT $${values.push(limit)}`,
        values,
      );
      return rows.map(fromSummaryRow);
    },

    put(task) {
      const awaited = [...task.subTasks, ...(task.lease?.subTasks ?? [])];
      statements.enqueue(
        `INSERT INTO memhall.task_contexts (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (tenant_id, user_id, task_id) DO UPDATE SET
           plan_id = excluded.plan_id, event_type = excluded.event_type, response_event = excluded.response_event,
           response_topic = excluded.response_topic, sub_tasks = excluded.sub_tasks, lease_id = excluded.lease_id,
           lease_expires_at = excluded.lease_expires_at, lease_sub_tasks = excluded.lease_sub_tasks,
           etag = excluded.etag, created_at = excluded.created_at, updated_at = excluded.updated_at,
           data = excluded.data, state = excluded.state`,
        [
          tenantId,
          userId,
          task.taskId,
          task.planId,
          task.eventType,
          task.responseEvent,
          task.responseTopic,
          task.subTasks,
          task.lease?.id ?? null,
          task.lease?.expiresAt ?? null,
          task.lease?.subTasks ?? null,
          task.etag,
          task.createdAt,
          task.updatedAt,
          JSON.stringify(task.data),
          JSON.stringify(task.state),
        ],
      );
      statements.enqueue(
        `DELETE FROM memhall.task_sub_tasks WHERE ${ofUser} AND task_id = $3 AND sub_task_id <> ALL ($4::text[])`,
        [tenantId, userId, task.taskId, awaited],
      );
      if (awaited.length === 0) return;
      statements.enqueue(
        `INSERT INTO memhall.task_sub_tasks (tenant_id, user_id, sub_task_id, task_id)
         SELECT $1, $2, sub_task_id, $3 FROM unnest($4::text[]) AS sub_task_id ON CONFLICT DO NOTHING`,
        [tenantId, userId, task.taskId, awaited],
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

/** Returns conditions with a leading AND each; adds their values to `values`. */
function taskConditions(filter: TaskFilter, after: { at: Date; id: string } | undefined, values: unknown[]): string {
  const next = (value: unknown) => `$${values.push(value)}`;
  const { planId, updatedUntil } = filter;
  const conditions = [
    ...(planId === undefined ? [] : [`plan_id = ${next(planId)}`]),
    ...(updatedUntil === undefined ? [] : [`updated_at <= ${next(updatedUntil)}`]),
    ...(after === undefined ? [] : [`(updated_at, task_id) > (${next(after.at)}, ${next(after.id)})`]),
  ];
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

function fromRow(row: Row): TaskContext {
  return { ...fromSummaryRow(row), data: row.data, state: row.state };
}

function fromSummaryRow(row: SummaryRow): TaskSummary {
  return {
    taskId: row.task_id,
    planId: row.plan_id,
    eventType: row.event_type,
    responseEvent: row.response_event,
    responseTopic: row.response_topic,
    subTasks: row.sub_tasks,
    lease:
      row.lease_id === null || row.lease_expires_at === null
        ? null
        : { id: row.lease_id, expiresAt: row.lease_expires_at, subTasks: row.lease_sub_tasks ?? [] },
    etag: row.etag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
