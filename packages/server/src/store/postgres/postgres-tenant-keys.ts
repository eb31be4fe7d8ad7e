import type { TenantKey, TenantKeys } from '../../ports/tenant-keys.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  key_id: string;
  wrapped: Buffer;
  wrapped_by: string;
  created_at: Date;
}

const columns = 'key_id, wrapped, wrapped_by, created_at';
const ofTenant = `SELECT ${columns} FROM memhall.tenant_keys WHERE tenant_id = $1`;

export function postgresTenantKeys(statements: Statements, { tenantId }: TransactionScope): TenantKeys {
  return {
    async get(keyId) {
      const rows = await statements.query<Row>(`${ofTenant} AND key_id = $2`, [tenantId, keyId]);
      return rows[0] && fromRow(rows[0]);
    },

    async newest() {
      const rows = await statements.query<Row>(`${ofTenant} ORDER BY created_at DESC, key_id DESC LIMIT 1`, [tenantId]);
      return rows[0] && fromRow(rows[0]);
    },

    async all() {
      return (await statements.query<Row>(`${ofTenant} ORDER BY key_id`, [tenantId])).map(fromRow);
    },

    add({ keyId, wrapped, wrappedBy, createdAt }) {
      statements.enqueue(
        `INSERT INTO memhall.tenant_keys (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [tenantId, keyId, wrapped, wrappedBy, createdAt],
      );
    },

    rewrap({ keyId, wrapped, wrappedBy }) {
      statements.enqueue(
        'UPDATE memhall.tenant_keys SET wrapped = $3, wrapped_by = $4 WHERE tenant_id = $1 AND key_id = $2',
        [tenantId, keyId, wrapped, wrappedBy],
      );
    },
  };
}

function fromRow({ key_id, wrapped, wrapped_by, created_at }: Row): TenantKey {
  return { keyId: key_id, wrapped, wrappedBy: wrapped_by, createdAt: created_at };
}
