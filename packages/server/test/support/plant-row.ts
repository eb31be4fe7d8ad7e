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

/** Drops the checks and foreign keys of a table, and the foreign keys that refer to it. */
async function dropConstraints(client: Pool | PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; of: string }>(
    `SELECT conname AS name, conrelid::regclass::text AS of FROM pg_constraint
     WHERE conrelid = 'memhall.${table}'::regclass AND contype IN ('c', 'f') OR confrelid = 'memhall.${table}'::regclass`,
  );
  for (const { name, of } of rows) await client.query(`ALTER TABLE ${of} DROP CONSTRAINT ${name}`);
}

async function columnsOf(client: Pool | PoolClient, table: string, condition: string) {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = 'memhall.${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND attidentity = '' AND ${condition}`,
  );
  return rows;
}

/** Inserts a row of a user with any value in the other columns, whatever the table demands. Returns a function that removes it. */
export async function plantRow(
  client: Pool | PoolClient,
  table: string,
  { tenant, user }: { tenant: string; user: string },
): Promise<() => Promise<unknown>> {
  await dropConstraints(client, table);
  const columns = await columnsOf(client, table, 'attnotnull AND NOT atthasdef');
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

/** Inserts rows that have a text in every column that can hold one, except ids and kinds, whatever the table demands. */
export async function plantText(client: Pool | PoolClient, table: string, text: string): Promise<void> {
  await dropConstraints(client, table);
  const columns = await columnsOf(client, table, 'true');
  const said = `'${text} ' || n`;
  const byType: Readonly<Record<string, string>> = {
    bytea: `convert_to(${said}, 'UTF8')`,
    halfvec: `'[1,2]'::halfvec`,
    json: `json_build_object('said', ${said})`,
    jsonb: `jsonb_build_object('said', ${said})`,
    text: said,
    'text[]': `ARRAY[${said}]`,
    boolean: 'true',
    'timestamp with time zone': 'now()',
  };
  const given: Record<string, string> = {
    ...Object.fromEntries(
      ['tenant_id', 'user_id', 'partition', 'namespace', 'kind', 'status', 'embedding_model'].map((id) => [
        id,
        `'${id} ' || n`,
      ]),
    ),
    at: `now()::text`,
    record: `json_build_object('at', now(), 'operation', 'o', 'target', ${said}, 'said', ${said})::text`,
  };
  const values = columns.map(
    ({ name, type }) => (type === 'text' ? given[name] : undefined) ?? byType[type] ?? `n::${type}`,
  );
  await client.query(
    `INSERT INTO memhall.${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM generate_series(1, 20) AS n`,
  );
}
