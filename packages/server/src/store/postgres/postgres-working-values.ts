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
const ofUser = 'tenant_id = $1 AND user_id = $2';
const ofPlan = `${ofUser} AND plan_id = $3`;
/** Sorts after every character of a key. */
const afterAllKeys = '\u{10FFFF}';

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

    async list(planId, { prefix, after, limit, now }) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.working_values
         WHERE ${ofPlan} AND key > $4 AND key >= $5 AND key < $6 AND (expires_at IS NULL OR expires_at > $7)
         ORDER BY key LIMIT $8`,
        [tenantId, userId, planId, after ?? '', prefix, `${prefix}${afterAllKeys}`, now, limit],
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

    async expiredOwners(now) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM memhall.working_values WHERE tenant_id = $1 AND expires_at <= $2 ORDER BY user_id`,
        [tenantId, now],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async deleteExpired(now, limit) {
      const rows = await statements.query<{ plan_id: string; key: string }>(
        `DELETE FROM memhall.working_values WHERE ${ofUser} AND (plan_id, key) IN (
           SELECT plan_id, key FROM memhall.working_values WHERE ${ofUser} AND expires_at <= $3
           ORDER BY expires_at LIMIT $4)
         RETURNING plan_id, key`,
        [tenantId, userId, now, limit],
      );
      return rows.map((row) => ({ planId: row.plan_id, key: row.key }));
    },

    async finishedOwners(before) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM memhall.plans WHERE tenant_id = $1 AND finished_at < $2
           AND EXISTS (SELECT 1 FROM memhall.working_values
                       WHERE tenant_id = plans.tenant_id AND user_id = plans.user_id AND plan_id = plans.plan_id)
         ORDER BY user_id`,
        [tenantId, before],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async deleteFinished(before, limit) {
      const rows = await statements.query<{ plan_id: string }>(
        `WITH gone AS (
           DELETE FROM memhall.working_values WHERE ${ofUser} AND plan_id IN (
             SELECT plan_id FROM memhall.plans WHERE ${ofUser} AND finished_at < $3
               AND EXISTS (SELECT 1 FROM memhall.working_values
                           WHERE tenant_id = plans.tenant_id AND user_id = plans.user_id AND plan_id = plans.plan_id)
             ORDER BY finished_at LIMIT $4)
           RETURNING plan_id)
         SELECT DISTINCT plan_id FROM gone ORDER BY plan_id`,
        [tenantId, userId, before, limit],
      );
      return rows.map(({ plan_id }) => plan_id);
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
