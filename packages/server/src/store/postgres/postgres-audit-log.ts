import type { AuditLog } from '../../ports/audit-log.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export function postgresAuditLog(statements: Statements, { tenantId, userId }: TransactionScope): AuditLog {
  return {
    append(records) {
      statements.enqueue('SELECT memhall.append_audit($1, $2, $3)', [tenantId, userId, records]);
    },

    async records(chainUserId, { after, limit }) {
      const rows = await statements.query<{ seq: string; record: string; hash: Buffer }>(
        `SELECT seq, record, hash FROM memhall.audit_records
         WHERE tenant_id = $1 AND user_id = $2 AND seq > $3 ORDER BY seq LIMIT $4`,
        [tenantId, chainUserId, after.toString(), limit],
      );
      return rows.map(({ seq, record, hash }) => ({ seq: BigInt(seq), record, hash }));
    },

    async head(chainUserId) {
      const rows = await statements.query<{ seq: string; hash: Buffer }>(
        'SELECT seq, hash FROM memhall.audit_heads WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, chainUserId],
      );
      return rows[0] && { tenantId, userId: chainUserId, seq: BigInt(rows[0].seq), hash: rows[0].hash };
    },
  };
}
