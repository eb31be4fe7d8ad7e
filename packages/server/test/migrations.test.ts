import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { startEngine } from '../src/composition/start-engine.js';
import type { Config } from '../src/config/settings.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember } from '../src/engine/memories/remember.js';
import { jobNames } from '../src/jobs/jobs.js';
import type { Database } from '../src/store/database.js';
import { describeSchema } from '../src/store/describe-schema.js';
import { type Migration, migrate, pendingMigrations, readMigrations } from '../src/store/migrations.js';
import { PgliteGate } from '../src/store/pglite-gate.js';
import { PgliteStream } from '../src/store/pglite-stream.js';
import { pendingQueues } from '../src/store/queue-schema.js';
import { connectDirectly, createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';

const silent = pino({ level: 'silent' });

describeEachDatabase('migrations', (database) => {
  let opened: Database;
  let known: Migration[];
  beforeAll(async () => {
    opened = await openDatabase(database().config(), silent);
    known = await readMigrations();
  });
  afterAll(() => opened.close());

  const forget = (version: number) =>
    opened.pool.query('DELETE FROM memhall.migrations WHERE version >= $1', [version]);

  it('does nothing on the second run', async () => {
    expect(await migrate(opened.pool, known)).toEqual({ applied: [], version: known.length });
    expect(await pendingMigrations(opened.pool, known)).toEqual([]);
  });

  it('produces the committed schema', async () => {
    const committed = await readFile(new URL('../migrations/schema.txt', import.meta.url), 'utf8');
    expect(await describeSchema(opened.pool)).toBe(committed);
  });

  it('forces row-level security on every table and creates roles that own nothing', async () => {
    const { rows: open } = await opened.pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p')
         AND relname <> 'migrations' AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
    const { rows: roles } = await opened.pool.query(
      `SELECT rolname, rolsuper, rolbypassrls, rolcanlogin,
              (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned
       FROM pg_roles WHERE rolname LIKE 'memhall\\_%' ORDER BY rolname`,
    );
    const powerless = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, owned: 0 };
    expect(roles).toEqual([
      { rolname: 'memhall_app', ...powerless },
      { rolname: 'memhall_eraser', ...powerless },
      { rolname: 'memhall_gatekeeper', ...powerless },
      { rolname: 'memhall_importer', ...powerless },
      { rolname: 'memhall_worker', ...powerless },
    ]);
  });

  it('applies new migrations completely or not at all', async () => {
    const version = known.length + 1;
    const migration = (sql: string): Migration => ({ version, name: 'extra', checksum: 'x', breaking: false, sql });
    const broken = migration('CREATE TABLE memhall.extra (id int); SELECT 1/0');
    await expect(migrate(opened.pool, [...known, broken])).rejects.toMatchObject({ code: '22012' });
    expect((await opened.pool.query(`SELECT to_regclass('memhall.extra') AS found`)).rows).toEqual([{ found: null }]);
    const whole = [...known, migration('CREATE TABLE memhall.extra (id int)')];
    expect((await migrate(opened.pool, whole)).applied).toEqual(['extra']);
    expect((await migrate(opened.pool, whole)).applied).toEqual([]);
    await opened.pool.query('DROP TABLE memhall.extra');
    await forget(version);
  });

  it('lets an older version serve an additive schema but not a breaking one', async () => {
    const insert = (breaking: boolean) =>
      opened.pool.query('INSERT INTO memhall.migrations (version, name, checksum, breaking) VALUES ($1, $2, $3, $4)', [
        known.length + 1,
        '9999_future',
        'x',
        breaking,
      ]);
    await insert(false);
    expect(await migrate(opened.pool, known)).toEqual({ applied: [], version: known.length });
    await forget(known.length + 1);
    await insert(true);
    await expect(migrate(opened.pool, known)).rejects.toThrow(/schema is at 9999_future.*start a newer version/);
    await forget(known.length + 1);
  });

  it('rejects a migration file that changed after it was applied', async () => {
    const changed = known.map((migration) => ({ ...migration, checksum: 'other' }));
    await expect(migrate(opened.pool, changed)).rejects.toThrow(/0001_foundation was applied from another file/);
  });
});

describe('migrations on a server without pgvector', () => {
  it('reports that pgvector must be installed', async () => {
    const database = await createTestDatabase('embedded');
    const pglite = await PGlite.create({ dataDir: join(database.flags.dataDirectory ?? '', 'postgres') });
    await pglite.exec('DROP SCHEMA memhall, memhall_queue CASCADE; DROP EXTENSION vector');
    const gate = new PgliteGate(pglite);
    const pool = new Pool({ max: 1, user: 'postgres', stream: () => new PgliteStream(gate.openSession()) });
    await expect(migrate(pool, await readMigrations())).rejects.toThrow(/has no pgvector extension: install it/);
    await pool.end();
    await pglite.close();
    await database.remove();
  });
});

describe('opening a database with migrations disabled', () => {
  it('rejects an old schema and names the command that migrates it', async () => {
    const database = await createTestDatabase('embedded');
    const current = await openDatabase(database.config(), silent);
    await current.pool.query(
      'DELETE FROM memhall.migrations WHERE version = (SELECT max(version) FROM memhall.migrations)',
    );
    await current.close();
    const opening = openDatabase(database.config({ migrate: 'false' }), silent);
    await expect(opening).rejects.toThrow(/lacks \d{4}_\w+.*Run `memhall migrate`/);
    await database.remove();
  });
});

describe.runIf(inject('postgresUrl') !== null)('a database owner who is not a superuser', () => {
  let database: TestDatabase;
  let config: Config;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    const direct = connectDirectly(database);
    await direct.query(`
      DROP SCHEMA memhall, memhall_queue CASCADE; DROP EXTENSION vector; DROP ROLE IF EXISTS keeper;
      CREATE ROLE keeper LOGIN CREATEROLE; GRANT memhall_app, memhall_eraser, memhall_worker TO keeper`);
    const url = new URL(database.flags.databaseUrl ?? '');
    await direct.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO keeper`);
    await direct.end();
    url.username = 'keeper';
    config = database.config({ databaseUrl: url.href });
  });
  afterAll(() => database.remove());

  it('gets an error with the command an administrator has to run', async () => {
    await expect(openDatabase(config, silent)).rejects.toThrow(/have an administrator run `CREATE EXTENSION vector`/);
  });

  it('migrates and serves once the extension exists', async () => {
    const direct = connectDirectly(database);
    await direct.query('CREATE EXTENSION vector');
    await direct.end();
    const { engine, close } = await startEngine(config, silent);
    const me = callerOf('me');
    await remember(engine, me, { content: 'kept by the keeper', kind: 'fact' });
    expect(await recall(engine, me, { text: 'keeper', scope: { own: true }, limit: 5 })).toHaveLength(1);
    expect(await recall(engine, callerOf('you'), { text: 'keeper', scope: { own: true }, limit: 5 })).toEqual([]);
    expect(await verifyAudit(engine.store)).toMatchObject({ chains: 1, faults: [] });
    await close();
  });

  it('cannot read rows because row-level security applies to the owner too', async () => {
    const owner = connectDirectly(database, 'keeper');
    expect((await owner.query('SELECT count(*)::int AS n FROM memhall.memories')).rows).toEqual([{ n: 0 }]);
    await owner.end();
  });
});

describe.runIf(inject('postgresUrl') !== null)('several servers starting at once on an empty PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    const direct = connectDirectly(database);
    await direct.query('DROP SCHEMA memhall, memhall_queue CASCADE');
    await direct.end();
  });
  afterAll(() => database.remove());

  it('migrates only once', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openDatabase(database.config(), silent)));
    const { rows } = (await opened[0]?.pool.query('SELECT count(*)::int AS n FROM memhall.migrations')) ?? { rows: [] };
    expect(rows).toEqual([{ n: (await readMigrations()).length }]);
    expect(await pendingQueues(opened[0]?.pool as Pool, jobNames)).toEqual([]);
    await Promise.all(opened.map((one) => one.close()));
  });
});
