import type { Json } from '@memhall/core';
import type { WorkingValue, WorkingValues } from '../../ports/working-values.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  plan_id: string;
  key: string;
  value: Json;
  etag: string;
  created_at: Date;
  updated_at: Date;
  expires_at: Date | null;
}

const columns = 'plan_id, key, value, etag, created_at, updated_at, expires_at';
const ofPlan = 'tenant_id = $1 AND user_id = $2 AND plan_id = $3';

export function postgresWorkingValues(statements: Statements, { tenantId, userId }: TransactionScope): WorkingValues {
  return {
    async get(planId, key, now) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.working_values
         WHERE ${ofPlan} AND key = $4 AND (expires_at IS NULL OR expires_at > $5)`,
        [tenantId, userId, planId, key, now],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async list(planId, { after, limit, now }) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.working_values
         WHERE ${ofPlan} AND key > $4 AND (expires_at IS NULL OR expires_at > $5)
         ORDER BY key LIMIT $6`,
        [tenantId, userId, planId, after ?? '', now, limit],
      );
      return rows.map(fromRow);
    },

    put(value) {
      statements.enqueue(
        `INSERT INTO memhall.working_values (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, user_id, plan_id, key) DO UPDATE SET
           value = excluded.value, etag = excluded.etag, created_at = excluded.created_at,
           updated_at = excluded.updated_at, expires_at = excluded.expires_at`,
        [
          tenantId,
          userId,
          value.planId,
          value.key,
          JSON.stringify(value.value),
          value.etag,
          value.createdAt,
          value.updatedAt,
          value.expiresAt,
        ],
      );
    },

    delete(planId, key) {
      statements.enqueue(`DELETE FROM memhall.working_values WHERE ${ofPlan} AND key = $4`, [
        tenantId,
        userId,
        planId,
        key,
      ]);
    },

    async deletePlan(planId, now) {
      const rows = await statements.query<{ live: string }>(
        `WITH gone AS (DELETE FROM memhall.working_values WHERE ${ofPlan} RETURNING expires_at)
         SELECT count(*) FILTER (WHERE expires_at IS NULL OR expires_at > $4) AS live FROM gone`,
        [tenantId, userId, planId, now],
      );
      return Number(rows[0]?.live ?? 0);
    },
  };
}

function fromRow(row: Row): WorkingValue {
  return {
    planId: row.plan_id,
    key: row.key,
    value: row.value,
    etag: row.etag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}
