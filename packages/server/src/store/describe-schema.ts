import type { Pool } from 'pg';

/**
 * Describes the schema that the migrations created as text, identical on every supported server, so that reviews can
 * show it and a test can compare it. Leaves out the table of applied migrations.
 */
export async function describeSchema(pool: Pool): Promise<string> {
  const sections = await Promise.all([describeTables(pool), describeFunctions(pool)]);
  return `${sections.flat().join('\n')}\n`;
}

async function describeTables(pool: Pool): Promise<string[]> {
  const tables = await list(
    pool,
    `SELECT relname || CASE WHEN relrowsecurity THEN ' [row-level security' ELSE ' [open' END
            || CASE WHEN relforcerowsecurity THEN ', forced]' ELSE ']' END AS line, oid::text AS id
     FROM pg_class WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
     ORDER BY relname`,
  );
  const described: string[] = [];
  for (const { line, id } of tables) {
    described.push(`table ${line}`);
    for (const query of Object.values(tableParts))
      described.push(...(await list(pool, query, [id])).map((part) => `  ${part.line}`));
    described.push('');
  }
  return described;
}

const tableParts = {
  columns: `
    SELECT attname || ' ' || format_type(atttypid, atttypmod)
           || CASE WHEN collname IN ('C') THEN ' collate ' || collname ELSE '' END
           || CASE WHEN attnotnull THEN ' not null' ELSE '' END
           || CASE WHEN attgenerated = 's' THEN ' generated ' || pg_get_expr(adbin, adrelid)
                   WHEN adbin IS NOT NULL THEN ' default ' || pg_get_expr(adbin, adrelid) ELSE '' END AS line
    FROM pg_attribute
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  constraints: `
    SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) AS line
    FROM pg_constraint WHERE conrelid = $1::oid AND contype IN ('p', 'u', 'f', 'c', 'x') ORDER BY conname`,
  indexes: `
    SELECT 'index ' || regexp_replace(pg_get_indexdef(indexrelid), '^CREATE (UNIQUE )?INDEX (\\S+) ON \\S+', '\\2 \\1') AS line
    FROM pg_index WHERE indrelid = $1::oid AND NOT indisprimary ORDER BY indexrelid::regclass::text`,
  policies: `
    SELECT 'policy ' || polname || ' for ' || polcmd::text || ' to '
           || (SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles WHERE oid = ANY (polroles))
           || coalesce(' using ' || pg_get_expr(polqual, polrelid), '')
           || coalesce(' check ' || pg_get_expr(polwithcheck, polrelid), '') AS line
    FROM pg_policy WHERE polrelid = $1::oid ORDER BY polname`,
  grants: `
    SELECT 'grant ' || string_agg(privilege_type, ', ' ORDER BY privilege_type) || ' to ' || rolname AS line
    FROM pg_class, aclexplode(relacl) AS acl JOIN pg_roles ON pg_roles.oid = grantee
    WHERE pg_class.oid = $1::oid AND rolname LIKE 'memhall\\_%' GROUP BY rolname ORDER BY rolname`,
  triggers: `
    SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE tgrelid = $1::oid AND NOT tgisinternal ORDER BY tgname`,
};

async function describeFunctions(pool: Pool): Promise<string[]> {
  const functions = await list(
    pool,
    `SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ') returns '
            || pg_get_function_result(pg_proc.oid) || CASE WHEN prosecdef THEN ' security definer' ELSE '' END
            || ' body ' || encode(sha256(convert_to(prosrc, 'UTF8')), 'hex')
            || coalesce(' execute ' || (SELECT string_agg(coalesce(rolname, 'public'), ', ' ORDER BY rolname)
                 FROM aclexplode(proacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
                 WHERE grantee = 0 OR rolname LIKE 'memhall\\_%'), '') AS line
     FROM pg_proc WHERE pronamespace = 'memhall'::regnamespace ORDER BY proname, pronargs`,
  );
  return functions.map(({ line }) => line);
}

async function list(pool: Pool, text: string, values: unknown[] = []): Promise<{ line: string; id: string }[]> {
  return (await pool.query<{ line: string; id: string }>(text, values)).rows;
}
