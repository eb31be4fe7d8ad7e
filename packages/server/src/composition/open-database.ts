import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Tracer } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { describeError } from '../http/logging.js';
import { jobNames } from '../jobs/jobs.js';
import { ReplicaStore } from '../outer/replica-store.js';
import type { LoopMarks } from '../ports/loop-marks.js';
import type { Store } from '../ports/store.js';
import { connectPostgres } from '../store/connect-postgres.js';
import { withholdStatistics } from '../store/content-statistics.js';
import { isHeld } from '../store/data-directory.js';
import { Database, type DatabaseConnection } from '../store/database.js';
import { planDistribution, requireCoordinator, undistributedTables } from '../store/distribution.js';
import { type Migration, migrate, pendingMigrations, readMigrations } from '../store/migrations.js';
import { openEmbedded } from '../store/open-embedded.js';
import { PostgresReadReplica } from '../store/postgres/postgres-read-replica.js';
import { PostgresStore } from '../store/postgres/postgres-store.js';
import { pendingQueues, prepareQueues } from '../store/queue-schema.js';

/** Is told what a first start is doing, because that takes seconds. */
export type OnStep = (doing: string) => void;

/** Opens the configured database. Brings its schema up to date, or checks it if `config.migrate` is false. */
export async function openDatabase(
  config: Config,
  logger: Logger,
  options: { shareRunning?: boolean; tracer?: Tracer | undefined; marks?: LoopMarks; onStep?: OnStep } = {},
): Promise<Database> {
  const { shareRunning = false, onStep } = options;
  const isNew = config.databaseUrl === undefined && !existsSync(join(config.dataDirectory, 'postgres'));
  if (isNew) onStep?.('creating the embedded database');
  const connection = await connect(config, logger, shareRunning);
  if (isNew) onStep?.('creating its tables');
  if (!shareRunning && connection.kind === 'embedded' && !connection.alone) {
    logger.info('another process owns the data directory: using the database through it, and taking over when it ends');
  }
  const database = new Database(connection, options);
  try {
    await prepareSchema(config, database, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function connect(config: Config, logger: Logger, shareRunning: boolean): Promise<DatabaseConnection> {
  const onError = (error: Error) => logger.warn({ error: describeError(error) }, 'lost a database connection');
  if (config.databaseUrl === undefined) {
    if (config.readDatabaseUrl !== undefined) {
      throw new StartUpError('MEMHALL_READ_DATABASE_URL needs DATABASE_URL: set both, or neither.');
    }
    return openEmbedded({ dataDirectory: config.dataDirectory, shareRunning, onError });
  }
  const { databaseUrl: url, databaseDirectUrl: directUrl, databasePooler: pooler } = config;
  const { databasePoolSize: poolSize, statementTimeoutMs } = config;
  const connection = await connectPostgres({ url, directUrl, pooler, poolSize, statementTimeoutMs, onError });
  if (connection.prepares) return connection;
  logger.info('going through a connection pooler: each transaction may get another session of the database');
  return connection;
}

/** Returns a store that reads from the standby; null if none is configured. One that does not respond is tried again later. */
function withStandby(config: Config, store: Store, primary: Database, logger: Logger): ReplicaStore | null {
  const { readDatabaseUrl: url } = config;
  if (url === undefined) return null;
  const onError = (error: Error) => logger.warn({ error: describeError(error) }, 'lost a connection to the standby');
  const { databasePooler: pooler, databasePoolSize: poolSize, statementTimeoutMs, readWaitMs: waitMs } = config;
  const open = async () =>
    new Database(await connectPostgres({ url, directUrl: undefined, pooler, poolSize, statementTimeoutMs, onError }));
  const onFault = (error: unknown) =>
    logger.warn({ error: describeError(error) }, 'reading from the primary, because the standby fails');
  return new ReplicaStore(store, new PostgresReadReplica(primary, { waitMs, open }), onFault);
}

/**
 * Applies pending migrations, or only lists them with `dryRun`. Returns the migrations that were or would be applied.
 */
export async function migrateDatabase(
  config: Config,
  logger: Logger,
  dryRun: boolean,
): Promise<{ pending: string[]; version: number }> {
  const known = await readMigrations();
  const connection = await connect(config, logger, true);
  try {
    const { pool } = connection;
    const pending = dryRun
      ? [...(await pendingMigrations(pool, known)), ...(await pendingQueues(pool, jobNames))]
      : await applySchema(pool, known, logger);
    return { pending, version: known.length };
  } finally {
    await connection.close();
  }
}

/**
 * Migrates, then distributes the tables by tenant over the nodes of Citus. With `dryRun` it changes nothing. Returns the migrations, and the
 * statements that were or would be run.
 */
export async function distributeDatabase(
  config: Config,
  logger: Logger,
  dryRun: boolean,
): Promise<{ pending: string[]; version: number; statements: string[] }> {
  if (config.databaseUrl === undefined) {
    throw new StartUpError(
      'The embedded database cannot be distributed: set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  const connection = await connect(config, logger, true);
  try {
    const { pool } = connection;
    const known = await readMigrations();
    await requireCoordinator(pool);
    if (dryRun && (await pendingMigrations(pool, known)).length > 0) {
      throw new StartUpError(
        'The statements are known once the schema is up to date: run `memhall migrate` first, or leave out --dry-run.',
      );
    }
    const pending = dryRun ? [] : await applySchema(pool, known, logger);
    const statements = await planDistribution(pool);
    if (!dryRun) await runEach(pool, statements, logger);
    return { pending, version: known.length, statements };
  } finally {
    await connection.close();
  }
}

/** Copying large tables takes long. What a run has not reached, the next one does. */
async function runEach(pool: Pool, statements: readonly string[], logger: Logger): Promise<void> {
  for (const statement of statements) {
    logger.info({ statement }, 'distributing');
    await pool.query(`BEGIN; SET LOCAL statement_timeout = 0; ${statement}; COMMIT`);
  }
}

/** Reports the version, pending migrations and clock of the database without changing it. */
export async function inspectDatabase(config: Config, logger: Logger) {
  const connection = await connect(config, logger, true);
  try {
    const pending = [
      ...(await pendingMigrations(connection.pool, await readMigrations())),
      ...(await pendingQueues(connection.pool, jobNames)),
    ];
    const { rows } = await connection.pool.query<{ version: string; now: Date }>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`,
    );
    return {
      kind: connection.kind,
      serverVersion: rows[0]?.version ?? '',
      pending,
      nowMs: rows[0]?.now.getTime() ?? 0,
    };
  } finally {
    await connection.close();
  }
}

export function isDataDirectoryInUse(config: Config): Promise<boolean> {
  return isHeld(config.dataDirectory);
}

/** Returns the names of what was applied. */
async function applySchema(pool: Pool, known: Migration[], logger: Logger): Promise<string[]> {
  const applied = [...(await migrate(pool, known)).applied, ...(await prepareQueues(pool, jobNames))];
  const columns = await withholdStatistics(pool);
  if (columns.length > 0) {
    logger.warn({ columns }, 'only a superuser can remove the samples of these columns: see docs/operate/erasure.md');
  }
  return applied;
}

async function prepareSchema(config: Config, database: Database, logger: Logger): Promise<void> {
  await updateSchema(config, database, logger);
  if (!database.isDistributed) return;
  const left = await undistributedTables(database.pool);
  if (left.length > 0) {
    throw new StartUpError(
      `The database is distributed, but not its tables ${left.join(', ')}: run \`memhall migrate --distribute\`.`,
    );
  }
}

async function updateSchema(config: Config, database: Database, logger: Logger): Promise<void> {
  const known = await readMigrations();
  if (config.migrate) {
    const applied = await applySchema(database.pool, known, logger);
    if (applied.length > 0) logger.info({ applied }, 'schema migrated');
    return;
  }
  const pending = [
    ...(await pendingMigrations(database.pool, known)),
    ...(await pendingQueues(database.pool, jobNames)),
  ];
  if (pending.length > 0) {
    throw new StartUpError(
      `The database schema is outdated: it lacks ${pending.join(', ')}. Run \`memhall migrate\` first.`,
    );
  }
}

/** Opens the store of a server or worker. `standby` is the part of it that reads from one, or null. */
export function openServingStore(config: Config, database: Database, logger: Logger) {
  const primary = new PostgresStore(database);
  const standby = withStandby(config, primary, database, logger);
  const close = async () => {
    await standby?.closeReplica();
    await database.close();
  };
  return { store: standby ?? primary, standby, close };
}

/** Opens the store for operator commands. */
export function openStore(database: Database): Store {
  return new PostgresStore(database);
}
