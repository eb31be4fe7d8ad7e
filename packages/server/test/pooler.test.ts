import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrateDatabase, openDatabase } from '../src/composition/open-database.js';
import { readConfig } from '../src/config/read-config.js';
import { jobs, retryPolicies } from '../src/jobs/jobs.js';
import { compactDatabase } from '../src/store/compact-database.js';
import type { Database, TransactionScope } from '../src/store/database.js';
import { PgBossQueue } from '../src/store/pg-boss-queue.js';
import { forTests } from './support/citus/recorder.js';
import { connectDirectly, createTestDatabase, type TestDatabase } from './support/databases.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from './support/pgbouncer.js';

const silent = pino({ level: 'silent' });
const scopeOf = (userId: string): TransactionScope => ({
  role: 'memhall_app',
  tenantId: 't1',
  userId,
  workspaceId: '',
  noteOwners: [],
  namespaces: [],
  writableNamespaces: [],
  since: 0,
  operation: 'test',
});
const insert = `INSERT INTO memhall.working_values (tenant_id, user_id, plan_id, key, value, etag, created_at, updated_at)
                VALUES ('t1', $1, 'p', $2, '1', 'e', now(), now())`;
const process = 'SELECT pg_backend_pid() AS process';

describe.runIf(hasPgBouncer() && inject('postgresUrl') !== null)('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let pooled: { databaseUrl: string };
  let opened: Database;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    pooler = await startPgBouncer(inject('postgresUrl') ?? '', { poolSize: 3 });
    const { pathname } = new URL(database.directUrl ?? '');
    pooled = { databaseUrl: pooler.url.replace(/\/postgres$/, pathname) };
    opened = await openDatabase(database.config({ ...pooled, statementTimeoutMs: '700' }), silent);
  });
  afterAll(async () => {
    await opened.close();
    await pooler.stop();
    await database.remove();
  });

  it('is noticed, because it refuses the time limits of sessions', async () => {
    expect(opened.sessions).toBeNull();
  });

  it('is noticed when it ignores them', async () => {
    const lenient = await startPgBouncer(inject('postgresUrl') ?? '', {
      settings: ['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'],
    });
    const url = lenient.url.replace(/\/postgres$/, new URL(pooled.databaseUrl).pathname);
    const found = await openDatabase(database.config({ databaseUrl: url }), silent);
    expect(found.sessions).toBeNull();
    await found.close();
    const trusted = await openDatabase(database.config({ databaseUrl: url, databasePooler: 'none' }), silent);
    expect(trusted.sessions).toBe(trusted.pool);
    await trusted.close();
    await lenient.stop();
  });

  it('is not suspected where there is none', async () => {
    const direct = await openDatabase(database.config({ databaseUrl: database.directUrl ?? '' }), silent);
    expect(direct.sessions).toBe(direct.pool);
    await direct.close();
    const told = await openDatabase(
      database.config({ databaseUrl: database.directUrl ?? '', databasePooler: 'transaction' }),
      silent,
    );
    expect(told.sessions).toBeNull();
    await told.close();
  });

  it('gives each transaction a whole session, and its scope to no other', async () => {
    const users = Array.from({ length: 12 }, (_, index) => `u${index}`);
    const processes = new Set<number>();
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        users.map((user) =>
          opened.write(scopeOf(user), async (statements) => {
            const seen = await statements.query<{ process: number; user: string; role: string }>(
              `SELECT pg_backend_pid() AS process, current_setting('app.user_id') AS "user", current_user AS role`,
            );
            statements.enqueue(insert, [user, `k${round}`]);
            const [later] = await statements.query<{ process: number }>(process);
            expect(seen).toEqual([{ process: later?.process, user, role: 'memhall_app' }]);
            processes.add(later?.process ?? 0);
          }),
        ),
      );
    }
    expect(processes.size).toBe(3);
    for (const user of users) {
      const rows = await opened.read(scopeOf(user), (statements) =>
        statements.query(
          `${forTests} SELECT DISTINCT user_id, count(*)::int AS count FROM memhall.working_values GROUP BY 1`,
        ),
      );
      expect(rows).toEqual([{ user_id: user, count: 10 }]);
    }
    const { rows } = await opened.pool.query(
      `SELECT current_user AS role, coalesce(current_setting('app.tenant_id', true), '') AS tenant`,
    );
    expect(rows).toEqual([{ role: 'postgres', tenant: '' }]);
  });

  it('keeps no session busy between the statements that a reader holds, but for its own', async () => {
    const held = await opened.hold({ ...scopeOf(''), role: 'memhall_worker' });
    const before = await held.run((statements) => statements.query(process));
    await opened.write(scopeOf('during'), async (statements) => statements.enqueue(insert, ['during', 'k']));
    const during = `${forTests} SELECT pg_backend_pid() AS process FROM (SELECT count(*) FROM memhall.working_values WHERE user_id = 'during') AS rows (count) WHERE count = 0`;
    expect(await held.run((statements) => statements.query(during))).toEqual(before);
    await held.end();
  });

  it.each([
    ['in a transaction', (text: string) => opened.read(scopeOf('u'), (statements) => statements.query(text))],
    ['of the pool', (text: string) => opened.pool.query(text)],
  ])('limits the time of a statement %s, of nobody else', async (_where, run) => {
    await expect(run('SELECT pg_sleep(5)')).rejects.toThrow();
    const direct = connectDirectly(database);
    const { rows } = await direct.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    await direct.end();
    const limit = new Client({ connectionString: pooled.databaseUrl });
    await limit.connect();
    for (let count = 0; count < 3; count++) {
      expect((await limit.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
    }
    await limit.end();
  });

  it('reports that no transaction is open after a statement of the pool has failed', async () => {
    await expect(opened.pool.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    await expect(opened.pool.query('BEGIN; SELECT 1/0; COMMIT')).rejects.toMatchObject({ code: '22012' });
    expect((await opened.pool.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
  });

  it('fails with UNAVAILABLE when a session is ended, and goes on with another one', async () => {
    const direct = connectDirectly(database);
    const hit = opened.write(scopeOf('u'), async (statements) => {
      const [own] = await statements.query<{ process: number }>(process);
      await direct.query('SELECT pg_terminate_backend($1)', [own?.process]);
      await statements.query(process);
    });
    await expect(hit).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await direct.end();
    await opened.write(scopeOf('after'), async (statements) => statements.enqueue(insert, ['after', 'k']));
  });

  it('leaves jobs to one taker each', async () => {
    const queue = () => new PgBossQueue(opened.pool, retryPolicies(jobs));
    const [name] = retryPolicies(jobs).keys();
    for (let count = 0; count < 20; count++) await queue().enqueue(name ?? '', { count: String(count) });
    const taken = await Promise.all(Array.from({ length: 8 }, () => queue().take(name ?? '', 5)));
    const ids = taken.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(20);
    for (const job of taken.flat()) await queue().complete(job, {});
  });

  it('builds vector indexes and rewrites tables past the pooler, and says so without a direct URL', async () => {
    await expect(compactDatabase(opened, { tablesOnly: true })).rejects.toThrow('MEMHALL_DATABASE_DIRECT_URL');
    const both = await openDatabase(
      database.config({ ...pooled, databaseDirectUrl: database.directUrl ?? '' }),
      silent,
    );
    const session = await both.sessions?.connect();
    await session?.query(`SET app.mark = 'mine'`);
    expect((await session?.query('SHOW app.mark'))?.rows).toEqual([{ 'app.mark': 'mine' }]);
    session?.release();
    await both.close();
  });

  it('lets several nodes create the schema at once', async () => {
    const direct = connectDirectly(database);
    await direct.query('CREATE DATABASE pooled_start');
    const databaseUrl = pooler.url.replace(/\/postgres$/, '/pooled_start');
    const config = readConfig({ databaseUrl, databasePoolSize: '1' }, {});
    const starts = await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(config, silent, false)));
    const applied = starts.flatMap(({ pending }) => pending);
    expect(applied.length).toBeGreaterThan(10);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await migrateDatabase(config, silent, true)).toMatchObject({ pending: [] });
    await direct.query('DROP DATABASE pooled_start WITH (FORCE)');
    await direct.end();
  });
});
