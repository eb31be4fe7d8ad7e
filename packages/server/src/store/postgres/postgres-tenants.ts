import type { Tenants } from '../../ports/tenants.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export function postgresTenants(statements: Statements, { tenantId }: TransactionScope): Tenants {
  return {
    async language() {
      const rows = await statements.query<{ language: string }>(
        'SELECT language FROM memhall.tenants WHERE tenant_id = $1',
        [tenantId],
      );
      return rows[0]?.language;
    },

    setLanguage(language) {
      statements.enqueue(
        'INSERT INTO memhall.tenants (tenant_id, language) VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET language = excluded.language',
        [tenantId, language],
      );
    },
  };
}
