import type { Pool, PoolClient } from 'pg';

/** A value for every type that is not a text. Times are in the past. */
const anyValues: Readonly<Record<string, string>> = {
  bigint: '1',
  boolean: 'false',
  'double precision': '1',
  bytea: `'\\x00'`,
  integer: '1',
  json: `'{}'`,
  jsonb: `'{}'`,
  real: '1',
  smallint: '1',
  'text[]': `'{}'`,
  'timestamp with time zone': `'2020-01-01'`,
};

const record = `'{"at": "2020-01-01T00:00:00.000Z", "operation": "o", "target": "t"}'`;

/**
 * Inserts a row of a user with any value in the other columns, whatever the table demands of them: drops its checks and foreign
 * keys, and those that refer to it. Returns a function that removes the row.
 */
export async function plantRow(
  client: Pool | PoolClient,
  table: string,
  { tenant, user }: { tenant: string; user: string },
): Promise<() => Promise<unknown>> {
  const { rows: constraints } = await client.query<{ name: string; of: string }>(
    `SELECT conname AS name, conrelid::regclass::text AS of FROM pg_constraint
     WHERE conrelid = 'memhall.${table}'::regclass AND contype IN ('c', 'f') OR confrelid = 'memhall.${table}'::regclass`,
  );
  for (const { name, of } of constraints) await client.query(`ALTER TABLE ${of} DROP CONSTRAINT ${name}`);
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = 'memhall.${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull
       AND NOT atthasdef AND attidentity = ''`,
  );
  const given: Record<string, string> = {
    tenant_id: `'${tenant}'`,
    user_id: `'${user}'`,
    partition: `'u:${user}'`,
    kind: `'document'`,
    record,
  };
  const values = columns.map(({ name, type }) => given[name] ?? anyValues[type] ?? `'x'`);
  const names = columns.map(({ name }) => name).join(', ');
  const { rows } = await client.query<{ ctid: string }>(
    `INSERT INTO memhall.${table} (${names}) VALUES (${values.join(', ')}) RETURNING ctid`,
  );
  return () => client.query(`DELETE FROM memhall.${table} WHERE ctid = $1`, [rows[0]?.ctid]);
}
