import type { UserSettings } from '../../ports/user-settings.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  time_zone: string;
  created_at: Date;
  updated_at: Date;
}

export function postgresUserSettings(statements: Statements, { tenantId, userId }: TransactionScope): UserSettings {
  return {
    async get() {
      const [row] = await statements.query<Row>(
        'SELECT time_zone, created_at, updated_at FROM memhall.user_settings WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, userId],
      );
      return row && { timeZone: row.time_zone, createdAt: row.created_at, updatedAt: row.updated_at };
    },

    put({ timeZone, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.user_settings (tenant_id, user_id, time_zone, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, user_id) DO UPDATE SET time_zone = excluded.time_zone, updated_at = excluded.updated_at`,
        [tenantId, userId, timeZone, createdAt, updatedAt],
      );
    },
  };
}
