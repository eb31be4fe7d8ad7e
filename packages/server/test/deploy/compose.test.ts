import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.js';

const root = new URL('../../../../', import.meta.url);
const pathOf = (name: string) => fileURLToPath(new URL(name, root));
const secrets = {
  'database-password': 'an unusual / password ?',
  'jwt-secret': 'x'.repeat(64),
  'master-key': Buffer.alloc(32, 1).toString('base64'),
  'audit-key': Buffer.alloc(32, 2).toString('base64'),
};

describe('the scripts of compose.yaml', () => {
  let cluster: PostgresCluster;
  let work: string;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const started = await startPostgresCluster();
    if (started === undefined) throw new Error('PostgreSQL is not installed: run scripts/install-postgres.sh');
    cluster = started;
    work = mkdtempSync(join(tmpdir(), 'memhall-compose-'));
    for (const [name, value] of Object.entries(secrets)) writeFileSync(join(work, name), `${value}\n`);
    mkdirSync(join(work, 'bin'));
    symlinkSync(pathOf('packages/server/bin/memhall.js'), join(work, 'bin', 'memhall'));
    chmodSync(pathOf('packages/server/bin/memhall.js'), 0o755);
    const { hostname, port } = new URL(cluster.url);
    environment = {
      PATH: `${join(work, 'bin')}:${process.env.PATH}`,
      PGHOST: hostname,
      PGPORT: port,
      DATABASE_PASSWORD_FILE: join(work, 'database-password'),
      MEMHALL_SECRETS: work,
      MEMHALL_DATABASE_HOST: hostname,
      MEMHALL_DATABASE_PORT: port,
      MEMHALL_EMBEDDER: 'none',
      MEMHALL_DATA: join(work, 'data'),
    };
    const admin = new Client({ connectionString: cluster.url });
    await admin.connect();
    await admin.query('CREATE DATABASE memhall');
    await admin.end();
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('prepare a database for a user who is no superuser, and start a server on it with the secrets', async () => {
    execFileSync('sh', [pathOf('deploy/prepare-postgres.sh')], { env: environment });
    const script = pathOf('deploy/with-secrets.sh');
    const server = spawn('sh', [script, 'serve', '--json', '--port', '0', '--plugin-port', 'off'], {
      env: environment,
    });
    try {
      const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
      const { url } = JSON.parse((await lines.next()).value) as { url: string };
      const token = execFileSync('sh', [script, 'token', '--tenant', 't', '--user', 'u'], {
        env: environment,
        encoding: 'utf8',
      });
      const response = await fetch(`${url}/v1/remember`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'It works.' }),
      });
      expect(response.status).toBe(201);
    } finally {
      const ended = new Promise((done) => server.once('close', done));
      server.kill('SIGTERM');
      await ended;
    }
    const admin = new Client({ connectionString: cluster.url.replace(/\/postgres$/, '/memhall') });
    await admin.connect();
    const { rows } = await admin.query(
      `SELECT rolsuper, (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'memhall') AS owner FROM pg_roles WHERE rolname = 'memhall'`,
    );
    await admin.end();
    expect(rows).toEqual([{ rolsuper: false, owner: 'memhall' }]);
  });
});
