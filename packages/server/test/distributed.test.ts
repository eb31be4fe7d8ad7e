import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newMasterKey } from '../src/providers/master-key-wrapper.js';
import { readCatalog } from './support/citus/read-catalog.js';
import { StatementRecorder } from './support/citus/recorder.js';
import { installCitusStandIn } from './support/citus/stand-in.js';
import { flagsOf, runCommand } from './support/command.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { fillNamespaces, fillTenant } from './support/filled-tenant.js';
import { startPostgresCluster } from './support/postgres-cluster.js';
import { type Call, startTestServer } from './support/server.js';

const secrets = { masterKey: newMasterKey(), jwtSecret: 'a secret of the servers of a distributed database' };
const settings = { embedder: 'local', ...secrets };
const environment = { MEMHALL_MASTER_KEY: secrets.masterKey, MEMHALL_EMBEDDER: 'local' };

/** A cluster of its own: roles belong to a whole cluster, and those of a distributed database may log in. */
describe.runIf(inject('postgresUrl') !== null)('a database that is distributed by tenant', () => {
  let cluster: Awaited<ReturnType<typeof startPostgresCluster>>;
  let database: TestDatabase;
  let pool: Pool;
  const directory = mkdtempSync(join(tmpdir(), 'memhall-distributed-'));

  beforeAll(async () => {
    cluster = await startPostgresCluster();
    const databaseUrl = cluster?.url ?? '';
    const beside = await createTestDatabase('embedded');
    database = {
      ...beside,
      ...{ kind: 'postgres', flags: { ...beside.flags, databaseUrl }, directUrl: databaseUrl },
      config: (extra) => beside.config({ databaseUrl, ...extra }),
    };
    pool = new Pool({ connectionString: databaseUrl, max: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await database.remove();
    await cluster?.stop();
    rmSync(directory, { recursive: true });
  });

  const run = (...args: string[]) => runCommand([...args, ...flagsOf(database)], environment);
  const distribute = (...flags: string[]) => run('migrate', '--distribute', ...flags);

  it('needs PostgreSQL, Citus and its coordinator, and changes nothing without', async () => {
    const embedded = await runCommand(['migrate', '--distribute', '--data', join(directory, 'data')]);
    expect([embedded.code, embedded.stderr]).toEqual([
      1,
      expect.stringMatching(/embedded database cannot be distributed: set DATABASE_URL/),
    ]);
    const without = await distribute();
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/Citus is not installed in this database: .*CREATE EXTENSION citus/),
    ]);
    expect((await pool.query(`SELECT to_regclass('memhall.migrations') AS found`)).rows).toEqual([{ found: null }]);
    await installCitusStandIn(pool);
    await pool.query('UPDATE pg_dist_local_group SET groupid = 2');
    expect((await distribute()).stderr).toMatch(/is a worker of Citus: use the URL of the coordinator/);
    await pool.query('UPDATE pg_dist_local_group SET groupid = 0');
  });

  it('shows the SQL first', async () => {
    expect((await distribute('--dry-run')).stderr).toMatch(/run `memhall migrate` first/);
    await run('migrate');
    const { code, stdout } = await distribute('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ALTER ROLE memhall_app LOGIN;$/m);
    expect(stdout).toMatch(/^SELECT create_distributed_function\('memhall.may_see\(text\)'\);$/m);
    expect(stdout).toMatch(
      /^ALTER TABLE memhall.memories NO FORCE ROW LEVEL SECURITY; SELECT create_distributed_table\('memhall.memories', 'tenant_id', colocate_with => 'memhall.tenants'\); ALTER TABLE memhall.memories FORCE ROW LEVEL SECURITY;$/m,
    );
    expect(stdout).toMatch(/^.*SELECT create_reference_table\('memhall.outer_store'\).*$/m);
    expect(stdout).not.toMatch(/memhall_queue|memhall.migrations/);
    expect((await pool.query('SELECT 1 FROM pg_dist_partition')).rows).toEqual([]);
  });

  it('is distributed once, whole, and forces row-level security as before', async () => {
    expect(await distribute()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/statements distributed the tables/),
    });
    const { rows } = await pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'memhall'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
         AND NOT (relrowsecurity AND relforcerowsecurity AND oid IN (SELECT logicalrelid FROM pg_dist_partition)
           AND oid IN (SELECT logicalrelid FROM pg_dist_truncated))`,
    );
    expect(rows).toEqual([]);
    const { rows: roles } = await pool.query(
      `SELECT rolname FROM pg_roles WHERE rolname LIKE 'memhall%' AND NOT rolcanlogin`,
    );
    expect(roles).toEqual([]);
    expect((await distribute()).stdout).toBe('All tables are distributed.\n');
  });

  it('is not served while a table is not distributed', async () => {
    await pool.query(
      `CREATE TEMPORARY TABLE left_out AS SELECT * FROM pg_dist_partition WHERE logicalrelid = 'memhall.facts'::regclass`,
    );
    await pool.query(`DELETE FROM pg_dist_partition WHERE logicalrelid = 'memhall.facts'::regclass`);
    await expect(startTestServer(database, settings)).rejects.toThrow(
      /not its tables facts: run `memhall migrate --distribute`/,
    );
    expect((await distribute()).code).toBe(0);
  });

  it('is not served through a worker', async () => {
    await pool.query('UPDATE pg_dist_local_group SET groupid = 1');
    await expect(startTestServer(database, settings)).rejects.toThrow(
      /is a worker of Citus: use the URL of the coordinator/,
    );
    await pool.query('UPDATE pg_dist_local_group SET groupid = 0');
  });

  it('gets no statement that a node would refuse or run in the wrong place, in the life of a tenant', async () => {
    const recorder = new StatementRecorder(await readCatalog(pool), { isDistributed: true });
    recorder.start();
    try {
      await fillNamespaces(database, settings);
      const server = await startTestServer(database, { ...settings, jobs: 'true' });
      const questions: Call[] = await fillTenant(server);
      for (const question of questions) expect(await server.call(question)).toMatchObject({ status: 200 });
      const archive = join(directory, 'archive.jsonl');
      expect(await run('export', '--tenant', 't1', '--output', archive)).toMatchObject({ code: 0 });
      expect(await run('import', '--input', archive)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/ added=0 /),
      });
      expect(await run('reindex', '--tenant', 't1')).toMatchObject({ code: 0 });
      const admin = await server.token({ roles: ['admin'] });
      await server.call({ method: 'DELETE', path: '/v1/tenants/t1/legal-holds/court', token: admin });
      const erased = await server.call({ method: 'DELETE', path: '/v1/tenants/t1/users/u1/memory', token: admin });
      expect(erased.status).toBe(200);
      expect(await run('audit', 'verify')).toMatchObject({ code: 0 });
      expect((await server.call({ method: 'DELETE', path: '/v1/tenants/t1', token: admin })).status).toBe(200);
      await server.close();
    } finally {
      const faults = recorder.stop();
      expect(faults).toEqual([]);
    }
    expect(recorder.statements).toBeGreaterThan(300);
  }, 180_000);
});
