import { StartUpError } from '@memhall/core';
import { type ClientBase, Pool, type PoolConfig } from 'pg';
import type { DatabaseConnection } from './database.js';
import { findDistribution } from './distribution.js';
import { limitQueries } from './limit-queries.js';
import { errorCode } from './to-problem.js';

/** `transaction`: a pooler may give each transaction another session. `auto`: the same if there is any pooler in between. */
type PoolerMode = 'auto' | 'none' | 'transaction';

interface PostgresOptions {
  url: string;
  /** Reaches the same database without a pooler. */
  directUrl?: string | undefined;
  pooler: PoolerMode;
  poolSize: number;
  statementTimeoutMs: number;
  onError(error: Error): void;
}

const idleInTransactionMs = 60_000;
/** Index builds, their cancellation, and nothing else. */
const directPoolSize = 2;
/** How PgBouncer answers if a client wants to set what it does not track for its sessions. */
const protocolViolation = '08P01';

/** Throws StartUpError if the server cannot be reached or rejects the login. */
export async function connectPostgres(options: PostgresOptions): Promise<DatabaseConnection> {
  const direct = options.pooler === 'transaction' ? null : await connectWithSessions(options);
  return direct ?? connectThroughPooler(options);
}

/** Returns null if the server is behind a pooler and that was to be found out. */
async function connectWithSessions(options: PostgresOptions): Promise<DatabaseConnection | null> {
  const pool = openPool({ ...sessionLimits(options), connectionString: options.url, max: options.poolSize }, options);
  if (await meetsPooler(pool, options)) {
    await pool.end();
    return null;
  }
  const isDistributed = await findOut(pool, options);
  const close = () => pool.end();
  return { ...common(options), isDistributed, pool, sessions: pool, prepares: true, limits: {}, close };
}

async function connectThroughPooler(options: PostgresOptions): Promise<DatabaseConnection> {
  const { url, directUrl, poolSize, statementTimeoutMs } = options;
  const pool = openPool({ connectionString: url, max: poolSize }, options);
  await check(pool, url);
  const limits = {
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
  };
  limitQueries(pool, limits);
  const isDistributed = await findOut(pool, options);
  const shared = { ...common(options), isDistributed, pool, prepares: false, limits };
  if (directUrl === undefined) {
    return { ...shared, sessions: null, close: () => pool.end() };
  }
  const past = { ...sessionLimits(options), connectionString: directUrl, max: directPoolSize };
  const sessions = openPool(past, options);
  await check(sessions, directUrl).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const close = async () => void (await Promise.all([pool.end(), sessions.end()]));
  return { ...shared, sessions, close };
}

/** The server cancels a statement first, unless it does not respond, or a pooler keeps it waiting. */
function common({ statementTimeoutMs }: PostgresOptions) {
  return { kind: 'postgres', alone: false, responseMs: 2 * statementTimeoutMs } as const;
}

function sessionLimits({ statementTimeoutMs }: PostgresOptions): PoolConfig {
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: idleInTransactionMs };
}

function openPool(config: PoolConfig & { max: number }, { onError }: PostgresOptions): Pool {
  const pool = new Pool({
    ...config,
    pipeline: true,
    application_name: 'memhall',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  pool.on('error', onError);
  // The pool listens only on idle clients: without this, a connection lost while in use would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** Returns whether something between this process and the server hands out sessions. */
async function meetsPooler(pool: Pool, { url, pooler }: PostgresOptions): Promise<boolean> {
  try {
    const client = await pool.connect();
    try {
      return pooler === 'auto' && (await isPooled(client));
    } finally {
      client.release();
    }
  } catch (error) {
    if (pooler === 'auto' && errorCode(error) === protocolViolation) return true;
    await pool.end();
    throw explain(error, url);
  }
}

/** A pooler makes up the process that it reports when a client connects: it cannot know which one will answer. */
async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process');
  return rows[0]?.process !== (client as ClientBase & { processID: number }).processID;
}

/** Returns whether the tables are distributed. Throws StartUpError if this server is not the one that knows all nodes. */
async function findOut(pool: Pool, { url }: PostgresOptions): Promise<boolean> {
  try {
    const { isDistributed, isCoordinator } = await findDistribution(pool);
    if (!isDistributed || isCoordinator) return isDistributed;
    throw new StartUpError(
      `PostgreSQL at ${describeUrl(url)} is a worker of Citus: use the URL of the coordinator, where the locks of all nodes of Memhall are.`,
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function check(pool: Pool, url: string): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw explain(error, url);
  }
}

function explain(error: unknown, url: string): StartUpError {
  return new StartUpError(
    `Cannot connect to PostgreSQL at ${describeUrl(url)} (${errorCode(error) || 'no response'}): check the database URL, that the server is running, and that this user may log in.`,
    { cause: error },
  );
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
