import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { StartUpError } from '@memhall/core';
import type { ClientBase, Pool } from 'pg';
import { beginAlone } from './begin-alone.js';
import { errorCode } from './to-problem.js';

export interface Migration {
  version: number;
  name: string;
  checksum: string;
  /** A breaking migration stops versions that do not know it; an additive one lets them keep serving. */
  breaking: boolean;
  sql: string;
}

interface MigrationReport {
  applied: string[];
  version: number;
}

interface AppliedRow {
  version: number;
  name: string;
  checksum: string;
  breaking: boolean;
}

const minServerVersion = 150_000;
/** Any constant, as long as it is the same in every version of Memhall. */
const advisoryLock = 0x6d656d68;
const directory = fileURLToPath(new URL('../../migrations/', import.meta.url));

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}_.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const sql = await readFile(`${directory}/${file}`, 'utf8');
      const version = Number(file.slice(0, 4));
      const mark = /^-- memhall: (additive|breaking)\n/.exec(sql);
      if (version !== index + 1) throw new Error(`migration ${file} is out of sequence`);
      if (mark === null)
        throw new Error(`migration ${file} must begin with "-- memhall: additive" or "-- memhall: breaking"`);
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { version, name: file.slice(0, -4), checksum, breaking: mark[1] === 'breaking', sql };
    }),
  );
}

/**
 * Migrates the schema to this version, all or nothing, in one process at a time. Does nothing if it is already there.
 */
export async function migrate(pool: Pool, known: Migration[]): Promise<MigrationReport> {
  return withClient(pool, async (client) => {
    await checkServer(client);
    if ((await pendingOf(client, known)).length === 0) return { applied: [], version: known.length };
    await beginAlone(client, advisoryLock);
    try {
      await client.query(`
        CREATE SCHEMA IF NOT EXISTS memhall;
        CREATE TABLE IF NOT EXISTS memhall.migrations (
          version integer PRIMARY KEY,
          name text NOT NULL,
          checksum text NOT NULL,
          breaking boolean NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now()
        )`);
      const pending = await pendingOf(client, known);
      for (const migration of pending) {
        await client.query(migration.sql);
        await client.query(
          'INSERT INTO memhall.migrations (version, name, checksum, breaking) VALUES ($1, $2, $3, $4)',
          [migration.version, migration.name, migration.checksum, migration.breaking],
        );
      }
      await client.query('COMMIT');
      return { applied: pending.map(({ name }) => name), version: known.length };
    } catch (error) {
      await client.query('ROLLBACK');
      throw explain(error);
    }
  });
}

/** Returns the names of the migrations that are still to be applied, after the same checks. Changes nothing. */
export async function pendingMigrations(pool: Pool, known: Migration[]): Promise<string[]> {
  return withClient(pool, async (client) => {
    await checkServer(client);
    return (await pendingOf(client, known)).map(({ name }) => name);
  });
}

async function withClient<T>(pool: Pool, use: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await use(client);
  } finally {
    client.release();
  }
}

async function checkServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; shown: string; vector: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS shown,
            EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') AS vector`,
  );
  const server = rows[0];
  if (server === undefined || server.version < minServerVersion) {
    throw new StartUpError(`PostgreSQL ${server?.shown} is too old: Memhall needs PostgreSQL 15 or newer.`);
  }
  if (!server.vector) {
    throw new StartUpError(
      `PostgreSQL ${server.shown} has no pgvector extension: install it on the database server (Debian: postgresql-NN-pgvector) and start again.`,
    );
  }
}

async function pendingOf(client: ClientBase, known: Migration[]): Promise<Migration[]> {
  const { rows: found } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('memhall.migrations') IS NOT NULL AS present`,
  );
  if (!found[0]?.present) return known;
  const { rows } = await client.query<AppliedRow>(
    'SELECT version, name, checksum, breaking FROM memhall.migrations ORDER BY version',
  );
  for (const applied of rows) {
    const own = known[applied.version - 1];
    if (own === undefined && applied.breaking) {
      throw new StartUpError(
        `The database schema is at ${applied.name}, which this version of Memhall (${known.at(-1)?.name}) does not support: start a newer version.`,
      );
    }
    if (own !== undefined && own.checksum !== applied.checksum) {
      throw new StartUpError(
        `Migration ${applied.name} was applied from another file than the one in this version: restore the file, or start the version that applied it.`,
      );
    }
  }
  const done = new Set(rows.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}

function explain(error: unknown): unknown {
  if (errorCode(error) !== '42501') return error;
  return new StartUpError(
    'The database user lacks privileges that the schema needs: have an administrator run `CREATE EXTENSION vector` in this database, grant the user CREATEROLE and make it the owner of the database (or run `memhall migrate` as a user who has these privileges).',
    { cause: error },
  );
}
