import { expect, it } from 'vitest';
import { archiveTables, tablesWithoutArchive } from '../src/store/postgres/archive-tables.js';
import { useArchiveSource } from './support/archive-source.js';
import { describeEachDatabase } from './support/databases.js';

describeEachDatabase('archives', (database) => {
  const { pool } = useArchiveSource(database);

  it('cover every table and column, or record a reason for leaving it out', async () => {
    const { rows } = await pool().query<{ name: string; columns: string[]; nullable: string[] }>(
      `SELECT relname AS name, array_agg(attname::text) FILTER (WHERE attgenerated = '') AS columns,
              coalesce(array_agg(attname::text) FILTER (WHERE atttypid = 'json'::regtype AND attnotnull), '{}') AS nullable
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') GROUP BY relname ORDER BY relname`,
    );
    const archived = new Map(archiveTables.map((table) => [table.table, table]));
    expect(rows.map(({ name }) => name)).toEqual([...archived.keys(), ...Object.keys(tablesWithoutArchive)].sort());
    for (const { name, columns, nullable } of rows) {
      const table = archived.get(name);
      if (table === undefined) continue;
      const own = ['tenant_id', ...table.columns, ...Object.keys(table.omitted ?? {})];
      expect([name, [...columns].sort()]).toEqual([name, own.sort()]);
      expect([name, [...(table.nullable ?? [])].sort()]).toEqual([name, [...nullable].sort()]);
    }
  });

  it('can be restored by a role that can only add rows', async () => {
    const { rows } = await pool().query(
      `SELECT relname || ': ' || string_agg(privilege_type, ', ' ORDER BY privilege_type) AS line
       FROM pg_class, aclexplode(relacl) JOIN pg_roles ON pg_roles.oid = grantee
       WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND rolname = 'memhall_importer'
       GROUP BY relname ORDER BY relname COLLATE "C"`,
    );
    const tables = [...new Set(archiveTables.map(({ table }) => table))].sort();
    expect(rows.map(({ line }) => line)).toEqual(
      tables.map((table) => `${table}: INSERT, SELECT${table === 'audit_heads' ? ', UPDATE' : ''}`),
    );
  });
});
