import { StartUpError } from '@memhall/core';
import type { ClientBase, Pool } from 'pg';
import { beginAlone } from './begin-alone.js';
import { errorCode } from './to-problem.js';

/** Any constant, as long as it is the same in every version of Memhall. */
const advisoryLock = 0x6d656d73;

/** Types that hold numbers, times and flags. Values of all others may be sentences, or be computed from sentences. */
const harmlessTypes = ['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'timestamptz'];
/** Columns of those types that are content nevertheless: hashes of words. */
const contentNumbers = ['memory_postings.term', 'memory_terms.term'];
/** Ids and names chosen by Memhall or its operators. The planner has to know how they are distributed. */
const plannedColumns = ['tenant_id', 'user_id', 'partition', 'namespace', 'kind', 'status', 'at', 'embedding_model'];

const featureNotSupported = '0A000';

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/**
 * Columns of tables, and expressions of indexes, whose values the database must not copy to its statistics, and whether it does now
 * (`is_sampled`). Of the queue, which has ids as columns of any name, only its JSON.
 */
export const contentColumns = `
  SELECT a.attrelid AS relation, a.attnum AS number, a.attname::text AS name, c.relkind AS relation_kind,
         n.nspname::text AS schema, c.relname::text AS relation_name,
         format_type(a.atttypid, a.atttypmod) || CASE WHEN o.collname = 'C' THEN ' COLLATE "C"' ELSE '' END AS type,
         a.attinhcount > 0 AS is_inherited, coalesce(base.reltuples, c.reltuples) >= 0 AS was_analyzed,
         coalesce(a.attstattarget, -1) <> 0 AS is_sampled
  FROM pg_attribute AS a
  JOIN pg_class AS c ON c.oid = a.attrelid
  JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_type AS t ON t.oid = a.atttypid
  LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
  LEFT JOIN pg_class AS base ON base.oid = i.indrelid
  LEFT JOIN pg_collation AS o ON o.oid = a.attcollation
  WHERE a.attnum > 0 AND NOT a.attisdropped
    AND (c.relkind IN ('r', 'p') OR c.relkind = 'i' AND i.indkey[a.attnum - 1] = 0 AND a.attname <> 'peer_key')
    AND (n.nspname = 'memhall' AND a.attname NOT IN (${list(plannedColumns)})
           AND (t.typname NOT IN (${list(harmlessTypes)}) OR c.relname || '.' || a.attname IN (${list(contentNumbers)}))
         OR n.nspname = 'memhall_queue' AND t.typname IN ('json', 'jsonb'))`;

/**
 * Stops the database from collecting samples of content for its query planner, and removes the samples it has. Does nothing if it
 * was done before. Returns the columns whose samples the user of the connection may not remove.
 */
export async function withholdStatistics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(`SELECT 1 FROM (${contentColumns}) AS content WHERE is_sampled LIMIT 1`);
  if (rows.length === 0) return [];
  const client = await pool.connect();
  try {
    await beginAlone(client, advisoryLock);
    const kept = await withhold(client);
    await client.query('COMMIT');
    client.release();
    return kept;
  } catch (error) {
    client.release(true);
    if (errorCode(error) !== '42501') throw error;
    throw new StartUpError(
      'The database user may not change which statistics are collected: run `memhall migrate` as the owner of the tables.',
      { cause: error },
    );
  }
}

interface ContentColumn {
  relation: number;
  number: number;
  name: string;
  relation_kind: string;
  schema: string;
  relation_name: string;
  type: string;
  is_inherited: boolean;
  was_analyzed: boolean;
}

async function withhold(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<ContentColumn>(
    `SELECT * FROM (${contentColumns}) AS content WHERE is_sampled ORDER BY relation, number`,
  );
  const remove = await removalOf(client);
  const kept: string[] = [];
  for (const column of rows) {
    const [kind, name] = column.relation_kind === 'i' ? ['INDEX', column.number] : ['TABLE', `"${column.name}"`];
    const relation = `"${column.schema}"."${column.relation_name}"`;
    await client.query(`ALTER ${kind} ${relation} ALTER COLUMN ${name} SET STATISTICS 0`);
    if (!(await remove(column, relation))) kept.push(`${column.schema}.${column.relation_name}.${column.name}`);
  }
  return kept;
}

type Removal = (column: ContentColumn, relation: string) => Promise<boolean>;

/** Returns how samples are removed on this server by this user. Before PostgreSQL 18, only superusers have a direct way. */
async function removalOf(client: ClientBase): Promise<Removal> {
  const { rows } = await client.query<{ version: number; superuser: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('is_superuser') = 'on' AS superuser`,
  );
  const remove = async (statement: string) => {
    await client.query(statement);
    return true;
  };
  if (rows[0]?.superuser) {
    return ({ relation, number }) =>
      remove(`DELETE FROM pg_statistic WHERE starelid = ${relation} AND staattnum = ${number}`);
  }
  if ((rows[0]?.version ?? 0) >= 180_000) {
    return ({ schema, relation_name, name }) =>
      remove(`SELECT pg_clear_attribute_stats('${schema}', '${relation_name}', '${name}', false)`);
  }
  return async (column, relation) => {
    // Vector indexes are built again in the background.
    if (column.relation_kind === 'i') return remove(`DROP INDEX ${relation}`);
    // Changed with the table that has the column first.
    if (column.is_inherited) return true;
    // A change to the same type rewrites nothing and drops the samples. It is refused if other columns are computed from this one.
    await client.query('SAVEPOINT attempt');
    try {
      return await remove(`ALTER TABLE ${relation} ALTER COLUMN "${column.name}" TYPE ${column.type}`);
    } catch (error) {
      if (errorCode(error) !== featureNotSupported) throw error;
      await client.query('ROLLBACK TO attempt');
      return !column.was_analyzed;
    }
  };
}
