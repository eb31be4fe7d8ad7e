import type { PluginNamespaces } from '../../ports/plugin-namespaces.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

export function postgresPluginNamespaces(statements: Statements, { tenantId }: TransactionScope): PluginNamespaces {
  return {
    async list(after, limit) {
      const rows = await statements.query<{ name: string }>(
        'SELECT name FROM memhall.plugin_namespaces WHERE tenant_id = $1 AND name > $2 ORDER BY name LIMIT $3',
        [tenantId, after, limit],
      );
      return rows.map(({ name }) => name);
    },

    add(names, now) {
      statements.enqueue(
        `INSERT INTO memhall.plugin_namespaces (tenant_id, name, first_used_at)
         SELECT $1, name, $3 FROM unnest($2::text[]) AS name ON CONFLICT DO NOTHING`,
        [tenantId, names, now],
      );
    },
  };
}
