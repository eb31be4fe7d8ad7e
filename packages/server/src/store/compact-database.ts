import { setTimeout as sleep } from 'node:timers/promises';
import { StartUpError } from '@memhall/core';
import type { PoolClient } from 'pg';
import type { DatabaseConnection } from './database.js';
import { errorCode } from './to-problem.js';

export interface CompactOptions {
  /** Leave the write-ahead log as it is. */
  tablesOnly?: boolean;
  /** How long to wait for transactions that began earlier, and for the lock of a table; 30 seconds by default. */
  longestWaitMs?: number;
  onProgress?(doneBytes: number, totalBytes: number): void;
}

export interface CompactReport {
  tables: number;
  freedBytes: number;
  /** Segments of the write-ahead log that were overwritten. */
  segments: number;
  /** Tables that still contain removed rows: an older transaction can see them. */
  unfinishedTables: string[];
  /** Segments that the server keeps for a replica or an archive. */
  keptSegments: number;
}

const pauseMs = 500;
const attempts = 2;
const lockNotAvailable = '55P03';

const segmentFiles = `pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'`;
/** Rows that are older than a transaction which can still see them are copied by a rewrite. */
const olderTransactions = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL AND xact_start < $1 LIMIT 1`;

/**
 * Rewrites all tables, and overwrites the write-ahead log, so that no file of the database contains removed rows. Each table is locked
 * while it is rewritten. Takes disk space for a copy of the largest one. Throws StartUpError if the database user may not do this.
 */
export async function compactDatabase(
  connection: Pick<DatabaseConnection, 'kind' | 'sessions'>,
  { tablesOnly = false, longestWaitMs = 30_000, onProgress }: CompactOptions,
): Promise<CompactReport> {
  if (connection.sessions === null) {
    throw new StartUpError(
      'Tables cannot be rewritten through a connection pooler: set MEMHALL_DATABASE_DIRECT_URL to a URL of the database server itself.',
    );
  }
  const client = await connection.sessions.connect();
  try {
    // The sessions of an embedded database share their settings. Statements there have no time limit, and nothing to wait for.
    if (connection.kind === 'postgres') {
      await client.query(`SET statement_timeout = 0; SET lock_timeout = ${Math.max(1, longestWaitMs)}`);
    }
    await checkPrivileges(client, tablesOnly);
    await waitForOlderTransactions(client, longestWaitMs);
    const rewritten = await rewriteTables(client, onProgress);
    const log = tablesOnly ? { segments: 0, keptSegments: 0 } : await overwriteLog(client);
    return { ...rewritten, ...log };
  } finally {
    client.release(true);
  }
}

async function checkPrivileges(client: PoolClient, tablesOnly: boolean): Promise<void> {
  const { rows } = await client.query<Record<'owner' | 'checkpoint' | 'switch' | 'list', boolean> & { name: string }>(
    `SELECT quote_ident(current_user) AS name,
       (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database())
         AND (SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class
              WHERE relkind = 'r' AND relnamespace IN ('memhall'::regnamespace, 'memhall_queue'::regnamespace)) AS owner,
       pg_has_role('pg_checkpoint', 'USAGE') AS checkpoint,
       has_function_privilege('pg_switch_wal()', 'EXECUTE') AS switch,
       has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS list`,
  );
  const may = rows[0];
  if (may === undefined) throw new Error('the server did not say what the user may do');
  if (!may.owner) {
    throw new StartUpError(
      `The database user ${may.name} may not rewrite the tables: connect as the owner of the database, who also owns its tables.`,
    );
  }
  const grants = [
    may.checkpoint ? [] : `GRANT pg_checkpoint TO ${may.name}`,
    may.switch ? [] : `GRANT EXECUTE ON FUNCTION pg_switch_wal() TO ${may.name}`,
    may.list ? [] : `GRANT EXECUTE ON FUNCTION pg_ls_waldir() TO ${may.name}`,
  ].flat();
  if (tablesOnly || grants.length === 0) return;
  throw new StartUpError(
    `The database user ${may.name} may not renew the write-ahead log: have an administrator run \`${grants.join('; ')}\` in this database, or use --tables-only and wait until the server has reused the log.`,
  );
}

type Rewritten = Pick<CompactReport, 'tables' | 'freedBytes' | 'unfinishedTables'>;

async function rewriteTables(client: PoolClient, onProgress: CompactOptions['onProgress']): Promise<Rewritten> {
  // The statistics of the planner may contain texts of earlier versions.
  const { rows: tables } = await client.query<{ name: string; id: number; bytes: string }>(
    `SELECT oid::regclass::text AS name, oid AS id, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace IN ('memhall'::regnamespace, 'memhall_queue'::regnamespace)
       OR oid = 'pg_catalog.pg_statistic'::regclass
     ORDER BY relname`,
  );
  const total = tables.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const unfinishedTables: string[] = [];
  let done = 0;
  for (const { name, id, bytes } of tables) {
    if (!(await rewrite(client, name, id))) unfinishedTables.push(name);
    done += Number(bytes);
    onProgress?.(done, total);
  }
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT sum(pg_total_relation_size(id)) AS bytes FROM unnest($1::oid[]) AS id',
    [tables.map(({ id }) => id)],
  );
  return { tables: tables.length, freedBytes: Math.max(0, total - Number(rows[0]?.bytes)), unfinishedTables };
}

async function waitForOlderTransactions(client: PoolClient, longestWaitMs: number): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  for (let waited = 0; waited < longestWaitMs; waited += pauseMs) {
    if ((await client.query(olderTransactions, [rows[0]?.now])).rows.length === 0) return;
    await sleep(pauseMs);
  }
}

/** Returns whether all removed rows are gone. The second VACUUM counts those that are not, and restores the visibility map. */
async function rewrite(client: PoolClient, name: string, id: number): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await sleep(pauseMs);
    try {
      await client.query(`VACUUM (FULL) ${name}`);
      await client.query(`VACUUM ${name}`);
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable) throw error;
      continue;
    }
    const { rows } = await client.query<{ dead: string }>('SELECT pg_stat_get_dead_tuples($1) AS dead', [id]);
    if (Number(rows[0]?.dead ?? 0) === 0) return true;
  }
  return false;
}

/** A checkpoint renames old segments for later use, with their content. Ending each one right after it began overwrites it. */
async function overwriteLog(client: PoolClient): Promise<Pick<CompactReport, 'segments' | 'keptSegments'>> {
  await nextSegment(client);
  const { rows: begun } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name');
  await client.query('CHECKPOINT');
  const { rows: present } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${segmentFiles}`);
  const segments = (present[0]?.count ?? 0) + 1;
  for (let count = 0; count < segments; count++) await nextSegment(client);
  await client.query('CHECKPOINT');
  const { rows: kept } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${segmentFiles} AND name <= $1`,
    [begun[0]?.name],
  );
  return { segments, keptSegments: kept[0]?.count ?? 0 };
}

/** Without a record in between, the server would not begin another segment. */
async function nextSegment(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_current_xact_id()');
  await client.query('SELECT pg_switch_wal()');
}
