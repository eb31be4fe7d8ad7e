import type { RevocationKind, TokenRevocation, TokenRevocations } from '../../ports/token-revocations.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export interface RevocationRow {
  tenant_id: string;
  id: string;
  kind: RevocationKind;
  subject: string;
  issued_before: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  undone_at: Date | null;
}

const columns = 'id, kind, subject, issued_before, expires_at, created_at, updated_at, undone_at';
export const selectRevocations = `SELECT tenant_id, ${columns} FROM memhall.token_revocations`;

export function postgresTokenRevocations(statements: Statements, { tenantId }: TransactionScope): TokenRevocations {
  const select = async (condition: string, values: readonly unknown[]) => {
    const rows = await statements.query<RevocationRow>(`${selectRevocations} WHERE tenant_id = $1 AND ${condition}`, [
      tenantId,
      ...values,
    ]);
    return rows.map(fromRevocationRow);
  };
  return {
    get: async (id) => (await select('id = $2', [id]))[0],

    find: async (kind, subject) => (await select('kind = $2 AND subject = $3', [kind, subject]))[0],

    list: ({ now, after = '', limit }) =>
      select('id > $2 AND undone_at IS NULL AND (expires_at IS NULL OR expires_at > $3) ORDER BY id LIMIT $4', [
        after,
        now,
        limit,
      ]),

    put({ id, kind, subject, issuedBefore, expiresAt, createdAt, updatedAt, undoneAt }) {
      statements.enqueue(
        `INSERT INTO memhall.token_revocations (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, id) DO UPDATE SET issued_before = excluded.issued_before,
           expires_at = excluded.expires_at, updated_at = excluded.updated_at, undone_at = excluded.undone_at`,
        [tenantId, id, kind, subject, issuedBefore, expiresAt, createdAt, updatedAt, undoneAt],
      );
    },

    async deleteOld({ expiredAt, undoneAt }) {
      const rows = await statements.query(
        `DELETE FROM memhall.token_revocations WHERE tenant_id = $1 AND (expires_at < $2 OR undone_at < $3) RETURNING id`,
        [tenantId, expiredAt, undoneAt],
      );
      return rows.length;
    },
  };
}

export function fromRevocationRow(row: RevocationRow): TokenRevocation {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    issuedBefore: row.issued_before,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    undoneAt: row.undone_at,
  };
}
