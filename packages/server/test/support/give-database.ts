import { connectDirectly, type TestDatabase } from './databases.js';

/** Makes a new role, which is no superuser, the owner of a PostgreSQL test database and of everything in it. */
export async function giveDatabase(database: TestDatabase, role: string): Promise<void> {
  const direct = connectDirectly(database);
  const name = new URL(database.flags.databaseUrl ?? '').pathname.slice(1);
  await direct.query(`
    DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN CREATEROLE; ALTER DATABASE ${name} OWNER TO ${role};
    GRANT memhall_app, memhall_eraser, memhall_worker, memhall_importer, memhall_gatekeeper TO ${role}`);
  const { rows } = await direct.query<{ change: string }>(
    `SELECT format('ALTER %s %s OWNER TO ${role}', kind, name) AS change FROM (
       SELECT 'SCHEMA' AS kind, nspname::text AS name FROM pg_namespace WHERE nspname LIKE 'memhall%'
       UNION ALL SELECT 'TABLE', oid::regclass::text FROM pg_class
         WHERE relnamespace IN ('memhall'::regnamespace, 'memhall_queue'::regnamespace) AND relkind IN ('r', 'p')) AS owned`,
  );
  for (const { change } of rows) await direct.query(change);
  await direct.end();
}
