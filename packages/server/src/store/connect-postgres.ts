import { StartUpError } from '@memhall/core';
import { Pool } from 'pg';
import type { DatabaseConnection } from './database.js';
import { errorCode } from './to-problem.js';

interface PostgresOptions {
  url: string;
  poolSize: number;
  statementTimeoutMs: number;
  onError(error: Error): void;
}

/** Throws StartUpError if the server cannot be reached or rejects the login. */
export async function connectPostgres(options: PostgresOptions): Promise<DatabaseConnection> {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    pipeline: true,
    application_name: 'memhall',
    connectionTimeoutMillis: 10_000,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  pool.on('error', options.onError);
  // The pool listens only on idle clients: without this, a connection lost while in use would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new StartUpError(
      `Cannot connect to PostgreSQL at ${describeUrl(options.url)} (${errorCode(error) || 'no response'}): check the database URL, that the server is running, and that this user may log in.`,
      { cause: error },
    );
  }
  return { kind: 'postgres', pool, prepares: true, alone: false, close: () => pool.end() };
}

/** Returns host, port and database only: the user and password of a URL must never be shown. */
function describeUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || 'the local socket'}${pathname}`;
  } catch {
    return 'the given URL';
  }
}
