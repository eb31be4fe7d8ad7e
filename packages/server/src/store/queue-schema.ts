import { createRequire } from 'node:module';
import { StartUpError } from '@memhall/core';
import type { Pool, PoolClient } from 'pg';
import PgBoss from 'pg-boss';
import { beginAlone } from './begin-alone.js';
import { errorCode, toProblem } from './to-problem.js';

export const queueSchema = 'memhall_queue';

/** A pool, a client, or what adapts one. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Any constant, as long as it is the same in every version of Memhall. */
const advisoryLock = 0x6d656d71;
/** Longer than the longest period of a schedule: a finished job is what prevents a second one in its period. */
const keepDoneSeconds = 25 * 3600;
const keepFailedSeconds = 30 * 24 * 3600;

const { schema: wantedVersion } = createRequire(import.meta.url)('pg-boss/version.json') as { schema: number };

/**
 * Runs pg-boss on our own connections, without its timers and workers. The timers would keep a process alive that
 * nobody closes. The workers do not wait for the statement that ends a job, so a connection lost at that moment would
 * end the process.
 */
export function openBoss(connection: Connection): PgBoss {
  return new PgBoss({
    db: {
      // A failed statement may leave a transaction open; a pool then discards the connection.
      executeSql: (text, values) =>
        connection.query(text, values).catch((error: unknown) => {
          throw toProblem(error);
        }),
    },
    schema: queueSchema,
    schedule: false,
    supervise: false,
    archiveCompletedAfterSeconds: keepDoneSeconds,
    archiveFailedAfterSeconds: keepFailedSeconds,
    deleteAfterHours: 1,
  });
}

/**
 * Returns pg-boss' own connection for work inside a transaction of ours: the transactions that its texts begin and end would end it.
 */
function openBossInside(client: PoolClient): PgBoss {
  const query = (text: string, values?: unknown[]) => {
    const [, inner = text] = /^\s*BEGIN;([\s\S]*?)COMMIT;\s*$/.exec(text) ?? [];
    return client.query(inner, values);
  };
  return openBoss({ query });
}

/** Returns the names of schemas or queues that the database lacks for these jobs. Changes nothing. */
export async function pendingQueues(connection: Connection, jobs: readonly string[]): Promise<string[]> {
  const boss = openBoss(connection);
  if (!(await boss.isInstalled())) return [queueSchema];
  const version = Number(await boss.schemaVersion());
  if (version > wantedVersion) {
    throw new StartUpError(
      `The job queue is at version ${version}, which this version of Memhall (${wantedVersion}) does not support: start a newer version.`,
    );
  }
  if (version < wantedVersion) return [queueSchema];
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  return jobs.filter((job) => !known.has(job)).map((job) => `${queueSchema}.${job}`);
}

/** Creates missing queues, all or nothing, in one process at a time. Returns the names of what was missing. */
export async function prepareQueues(pool: Pool, jobs: readonly string[]): Promise<string[]> {
  if ((await pendingQueues(pool, jobs)).length === 0) return [];
  const client = await pool.connect();
  try {
    await beginAlone(client, advisoryLock);
    const pending = await pendingQueues(client, jobs);
    if (pending.length > 0) await makeQueues(client, jobs);
    await client.query('COMMIT');
    client.release();
    return pending;
  } catch (error) {
    client.release(true);
    if (errorCode(error) !== '42501') throw error;
    throw new StartUpError(
      'The database user may not create the job queue: run `memhall migrate` as the owner of the database.',
      { cause: error },
    );
  }
}

async function makeQueues(client: PoolClient, jobs: readonly string[]): Promise<void> {
  const boss = await openBossInside(client).start();
  for (const name of jobs) await boss.createQueue(name, { name, policy: 'short' });
  await client.query(`
    GRANT USAGE ON SCHEMA ${queueSchema} TO memhall_worker;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${queueSchema} TO memhall_worker`);
}
