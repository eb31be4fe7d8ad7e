import type { IdempotencyKeys, IdempotencyRecord } from '../../ports/idempotency-keys.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  payload_hash: string;
  result: IdempotencyRecord['result'];
  created_at: Date;
}

export function postgresIdempotencyKeys(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
): IdempotencyKeys {
  return {
    async get(key, since) {
      const rows = await statements.query<Row>(
        `SELECT payload_hash, result, created_at FROM memhall.idempotency_keys
         WHERE tenant_id = $1 AND user_id = $2 AND key = $3 AND created_at > $4`,
        [tenantId, userId, key, since],
      );
      const row = rows[0];
      return row && { key, payloadHash: row.payload_hash, result: row.result, createdAt: row.created_at };
    },

    put({ key, payloadHash, result, createdAt }) {
      statements.enqueue(
        `INSERT INTO memhall.idempotency_keys (tenant_id, user_id, key, payload_hash, result, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, user_id, key) DO UPDATE SET
           payload_hash = excluded.payload_hash, result = excluded.result, created_at = excluded.created_at`,
        [tenantId, userId, key, payloadHash, JSON.stringify(result), createdAt],
      );
    },

    async deleteBefore(moment, limit) {
      const rows = await statements.query<{ count: string }>(
        `WITH gone AS (
           DELETE FROM memhall.idempotency_keys WHERE tenant_id = $1 AND (user_id, key) IN (
             SELECT user_id, key FROM memhall.idempotency_keys
             WHERE tenant_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3)
           RETURNING 1)
         SELECT count(*) AS count FROM gone`,
        [tenantId, moment, limit],
      );
      return Number(rows[0]?.count ?? 0);
    },
  };
}
