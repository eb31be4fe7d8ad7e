import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { compactDatabase } from '../src/store/compact-database.js';
import { flagsOf, runCommand } from './support/command.js';
import { connectDirectly, createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { findInFiles } from './support/find-in-files.js';
import { giveDatabase } from './support/give-database.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { useServer } from './support/server.js';

describeEachDatabase('memhall erase --compact', (database) => {
  const server = useServer(database);

  it('leaves no file with a word of a forgotten user, while a server is running', async () => {
    const [forgotten, other] = [newMarker(), newMarker()];
    for (const [user, marker] of [
      ['gone', forgotten],
      ['other', other],
    ] as const) {
      const token = await server().token({ user });
      for (const call of personalWrites({ tenant: 't1', user }, marker)) {
        expect((await server().call({ ...call, token })).status).toBeLessThan(300);
      }
    }
    await pastEverything(database(), 'ANALYZE');
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    const path = '/v1/tenants/t1/users/gone/memory';
    expect((await server().call({ method: 'DELETE', path, token: admin })).status).toBe(200);
    await pastEverything(database(), 'CHECKPOINT');
    expect((await findInFiles(database(), forgotten)).length).toBeGreaterThan(1);

    const { code, stdout } = await runCommand(['erase', '--compact', ...flagsOf(database())]);
    expect(stdout).toMatch(/^Compaction complete: tables=\d+ freed_bytes=\d+ log_segments=\d+\n$/);
    expect(code).toBe(0);
    expect(await findInFiles(database(), forgotten)).toEqual([]);
    expect(await findInFiles(database(), other)).not.toEqual([]);
    const token = await server().token({ user: 'other' });
    const query = { method: 'POST', path: '/v1/memory/semantic/query', body: { query: other }, token };
    expect((await server().call(query)).body.count).toBe(2);
  });

  it('says what is missing without --compact', async () => {
    const { code, stderr } = await runCommand(['erase', ...flagsOf(database())]);
    expect(code).toBe(1);
    expect(stderr).toContain('Add --compact.');
  });
});

describe.runIf(inject('postgresUrl') !== null)('compacting PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    await giveDatabase(database, 'compactor');
  });
  afterAll(() => database.remove());
  const silent = pino({ level: 'silent' });
  const urlOf = (user: string) => {
    const url = new URL(database.flags.databaseUrl ?? '');
    url.username = user;
    return url.href;
  };
  const compactAs = (user: string, ...flags: string[]) =>
    runCommand(['erase', '--compact', ...flags, '--database-url', urlOf(user)]);

  it('names the grants that its owner lacks, and rewrites the tables without them on request', async () => {
    const refused = await compactAs('compactor');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      '`GRANT pg_checkpoint TO compactor; GRANT EXECUTE ON FUNCTION pg_switch_wal() TO compactor; GRANT EXECUTE ON FUNCTION pg_ls_waldir() TO compactor`',
    );
    expect(await compactAs('compactor', '--tables-only')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/log_segments=0\n$/),
    });
    const direct = connectDirectly(database);
    await direct.query(`GRANT pg_checkpoint TO compactor; GRANT EXECUTE ON FUNCTION pg_switch_wal() TO compactor;
      GRANT EXECUTE ON FUNCTION pg_ls_waldir() TO compactor`);
    await direct.end();
    expect(await compactAs('compactor')).toMatchObject({ code: 0 });
  });

  it('is refused to users who do not own the database', async () => {
    const direct = connectDirectly(database);
    await direct.query(`DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN; GRANT memhall_app TO visitor;
      GRANT USAGE ON SCHEMA memhall, memhall_queue TO visitor; GRANT SELECT ON ALL TABLES IN SCHEMA memhall, memhall_queue TO visitor`);
    await direct.end();
    const { code, stderr } = await compactAs('visitor', '--tables-only');
    expect(code).toBe(1);
    expect(stderr).toContain('connect as the owner of the database');
  });

  it('reports tables that others lock or whose removed rows they can see, and segments that are kept', async () => {
    const direct = connectDirectly(database);
    await direct.query(`INSERT INTO memhall.sessions VALUES ('t', 'u', 's', NULL, 'n', '{}', 'e', now(), now())`);
    const reader = await direct.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT');
    const locking = await direct.connect();
    await locking.query('BEGIN; LOCK memhall.plans IN ACCESS SHARE MODE');
    await direct.query('DELETE FROM memhall.sessions');
    const slot = `compact_${Math.random().toString(36).slice(2)}`;
    await direct.query(`SELECT pg_create_physical_replication_slot('${slot}', true)`);
    const opened = await openDatabase(database.config(), silent);
    const report = await compactDatabase(opened, { longestWaitMs: 0 });
    await opened.close();
    await direct.query(`SELECT pg_drop_replication_slot('${slot}')`);
    for (const client of [reader, locking]) {
      await client.query('ROLLBACK');
      client.release();
    }
    await direct.end();
    expect(report.unfinishedTables).toEqual(expect.arrayContaining(['memhall.plans', 'memhall.sessions']));
    expect(report.keptSegments).toBeGreaterThan(0);
  });
});
