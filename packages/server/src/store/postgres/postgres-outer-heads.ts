import type { OuterHeads } from '../../ports/outer-heads.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export function postgresOuterHeads(statements: Statements, { tenantId, userId }: TransactionScope): OuterHeads {
  return {
    async get() {
      const rows = await statements.query<{ change_id: string; audit_seq: string }>(
        'SELECT change_id, audit_seq FROM memhall.outer_heads WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, userId],
      );
      return rows[0] && { changeId: rows[0].change_id, auditSeq: BigInt(rows[0].audit_seq) };
    },

    put({ changeId, auditSeq }) {
      statements.enqueue(
        `INSERT INTO memhall.outer_heads (tenant_id, user_id, change_id, audit_seq) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, user_id) DO UPDATE SET change_id = excluded.change_id, audit_seq = excluded.audit_seq`,
        [tenantId, userId, changeId, auditSeq.toString()],
      );
    },
  };
}
