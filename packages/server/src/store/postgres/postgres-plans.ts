import type { Json } from '@memhall/core';
import type { Plan, PlanFilter, PlanStatus, PlanSummary, Plans } from '../../ports/plans.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface SummaryRow {
  plan_id: string;
  goal_event: string;
  goal_data: { [key: string]: Json };
  status: PlanStatus;
  current_state: string | null;
  response_event: string | null;
  correlation_ids: string[];
  session_id: string | null;
  parent_plan_id: string | null;
  etag: string;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

type Row = SummaryRow & { state: { [key: string]: Json } };

const summaryColumns =
  'plan_id, goal_event, goal_data, status, current_state, response_event, correlation_ids, session_id, parent_plan_id, etag, created_at, updated_at, finished_at';
const columns = `${summaryColumns}, state`;
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresPlans(statements: Statements, { tenantId, userId }: TransactionScope): Plans {
  return {
    async get(planId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.plans WHERE ${ofUser} AND plan_id = $3`,
        [tenantId, userId, planId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async findByCorrelation(correlationId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.plan_correlations JOIN memhall.plans USING (tenant_id, user_id, plan_id)
         WHERE ${ofUser} AND correlation_id = $3 AND finished_at IS NULL
         ORDER BY created_at DESC, plan_id DESC LIMIT 1`,
        [tenantId, userId, correlationId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async list(filter, { before, limit }) {
      const values: unknown[] = [tenantId, userId];
      const conditions = planConditions(filter, before, values);
      const rows = await statements.query<SummaryRow>(
        `SELECT ${summaryColumns} FROM memhall.plans WHERE ${ofUser}${conditions}
         ORDER BY created_at DESC, plan_id DESC LIMIT $${values.push(limit)}`,
        values,
      );
      return rows.map(fromSummaryRow);
    },

    put(plan) {
      statements.enqueue(
        `INSERT INTO memhall.plans (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (tenant_id, user_id, plan_id) DO UPDATE SET
           goal_event = excluded.goal_event, goal_data = excluded.goal_data, status = excluded.status,
           current_state = excluded.current_state, response_event = excluded.response_event,
           correlation_ids = excluded.correlation_ids, session_id = excluded.session_id,
           parent_plan_id = excluded.parent_plan_id, etag = excluded.etag, created_at = excluded.created_at,
           updated_at = excluded.updated_at, finished_at = excluded.finished_at, state = excluded.state`,
        [
          tenantId,
          userId,
          plan.planId,
          plan.goalEvent,
          JSON.stringify(plan.goalData),
          plan.status,
          plan.currentState,
          plan.responseEvent,
          plan.correlationIds,
          plan.sessionId,
          plan.parentPlanId,
          plan.etag,
          plan.createdAt,
          plan.updatedAt,
          plan.finishedAt,
          JSON.stringify(plan.state),
        ],
      );
      statements.enqueue(
        `DELETE FROM memhall.plan_correlations
         WHERE ${ofUser} AND plan_id = $3 AND correlation_id <> ALL ($4::text[])`,
        [tenantId, userId, plan.planId, plan.correlationIds],
      );
      if (plan.correlationIds.length === 0) return;
      statements.enqueue(
        `INSERT INTO memhall.plan_correlations (tenant_id, user_id, correlation_id, plan_id)
         SELECT $1, $2, correlation_id, $3 FROM unnest($4::text[]) AS correlation_id ON CONFLICT DO NOTHING`,
        [tenantId, userId, plan.planId, plan.correlationIds],
      );
    },

    delete(planId) {
      statements.enqueue(`DELETE FROM memhall.plans WHERE ${ofUser} AND plan_id = $3`, [tenantId, userId, planId]);
    },
  };
}

/** Returns conditions with a leading AND each; adds their values to `values`. */
function planConditions(filter: PlanFilter, before: { at: Date; id: string } | undefined, values: unknown[]): string {
  const next = (value: unknown) => `$${values.push(value)}`;
  const { status, sessionId } = filter;
  const conditions = [
    ...(status === 'active' ? ['finished_at IS NULL'] : status === undefined ? [] : [`status = ${next(status)}`]),
    ...(sessionId === undefined ? [] : [`session_id = ${next(sessionId)}`]),
    ...(before === undefined ? [] : [`(created_at, plan_id) < (${next(before.at)}, ${next(before.id)})`]),
  ];
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

function fromRow(row: Row): Plan {
  return { ...fromSummaryRow(row), state: row.state };
}

function fromSummaryRow(row: SummaryRow): PlanSummary {
  return {
    planId: row.plan_id,
    goalEvent: row.goal_event,
    goalData: row.goal_data,
    status: row.status,
    currentState: row.current_state,
    responseEvent: row.response_event,
    correlationIds: row.correlation_ids,
    sessionId: row.session_id,
    parentPlanId: row.parent_plan_id,
    etag: row.etag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
