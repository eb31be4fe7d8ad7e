import type { UserKeys } from '../../ports/user-keys.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  key_hash: Buffer;
  created_at: Date;
  updated_at: Date;
}

export function postgresUserKeys(statements: Statements, { tenantId, userId }: TransactionScope): UserKeys {
  return {
    async get() {
      const rows = await statements.query<Row>(
        'SELECT key_hash, created_at, updated_at FROM memhall.user_keys WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, userId],
      );
      const row = rows[0];
      return row && { keyHash: row.key_hash, createdAt: row.created_at, updatedAt: row.updated_at };
    },

    put({ keyHash, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.user_keys (tenant_id, user_id, key_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, user_id) DO UPDATE SET key_hash = excluded.key_hash, updated_at = excluded.updated_at`,
        [tenantId, userId, keyHash, createdAt, updatedAt],
      );
    },
  };
}
