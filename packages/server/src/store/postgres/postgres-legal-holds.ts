import type { LegalHold, LegalHolds } from '../../ports/legal-holds.js';
import { workspaceOf } from '../../ports/owners.js';
import type { TransactionScope } from '../database.js';
import { takeLocks } from '../locks.js';
import type { Statements } from '../statements.js';

interface Row {
  name: string;
  user_ids: string[] | null;
  reason: string;
  created_at: Date;
  updated_at: Date;
}

const columns = 'name, user_ids, reason, created_at, updated_at';

export function postgresLegalHolds(statements: Statements, { tenantId }: TransactionScope): LegalHolds {
  const lockKey = `${tenantId}\nlegal holds`;
  return {
    async get(name) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.legal_holds WHERE tenant_id = $1 AND name = $2`,
        [tenantId, name],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async list({ after = '', limit }) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.legal_holds WHERE tenant_id = $1 AND name > $2 ORDER BY name LIMIT $3`,
        [tenantId, after, limit],
      );
      return rows.map(fromRow);
    },

    async on(userId) {
      takeLocks(statements, 'legalHolds', [lockKey], { isShared: true });
      const rows = await statements.query<{ name: string }>(
        `SELECT name FROM memhall.legal_holds
         WHERE tenant_id = $1 AND ($2::text IS NULL OR user_ids IS NULL OR $2 = ANY (user_ids)) ORDER BY name`,
        [tenantId, userId && (workspaceOf(userId) ?? userId)],
      );
      return rows.map(({ name }) => name);
    },

    lock() {
      takeLocks(statements, 'legalHolds', [lockKey]);
    },

    put({ name, userIds, reason, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.legal_holds (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, name) DO UPDATE SET
           user_ids = excluded.user_ids, reason = excluded.reason, updated_at = excluded.updated_at`,
        [tenantId, name, userIds, reason, createdAt, updatedAt],
      );
    },

    delete(name) {
      statements.enqueue('DELETE FROM memhall.legal_holds WHERE tenant_id = $1 AND name = $2', [tenantId, name]);
    },
  };
}

function fromRow({ name, user_ids, reason, created_at, updated_at }: Row): LegalHold {
  return { name, userIds: user_ids, reason, createdAt: created_at, updatedAt: updated_at };
}
