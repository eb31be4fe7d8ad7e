import type { Pool } from 'pg';
import type { Catalog } from './statement-rules.js';

/** Reads what the rules have to know from a migrated database. */
export async function readCatalog(pool: Pick<Pool, 'query'>): Promise<Catalog> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant_id'
     WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND NOT attisdropped`,
  );
  const { rows: functions } = await pool.query<{ name: string; kinds: string }>(
    `SELECT proname AS name, string_agg(DISTINCT provolatile::text, '') AS kinds FROM pg_proc GROUP BY proname`,
  );
  return {
    distributed: new Set(tables.map(({ name }) => name)),
    volatility: new Map(functions.map(({ name, kinds }) => [name, kinds])),
  };
}
