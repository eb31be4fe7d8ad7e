import type { Tenants } from '../../ports/tenants.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export function postgresTenants(statements: Statements, { tenantId }: TransactionScope): Tenants {
  return {
    async settings() {
      const rows = await statements.query<{ language: string; also_redacted: string[] }>(
        'SELECT language, also_redacted FROM memhall.tenants WHERE tenant_id = $1',
        [tenantId],
      );
      const [row] = rows;
      return row && { language: row.language, alsoRedacted: row.also_redacted };
    },

    setLanguage(language) {
      statements.enqueue(
        'INSERT INTO memhall.tenants (tenant_id, language) VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET language = excluded.language',
        [tenantId, language],
      );
    },

    setAlsoRedacted(labels) {
      statements.enqueue(
        'INSERT INTO memhall.tenants (tenant_id, also_redacted) VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET also_redacted = excluded.also_redacted',
        [tenantId, [...labels]],
      );
    },
  };
}
