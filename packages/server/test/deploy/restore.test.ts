import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.js';
import { runCommand } from '../support/command.js';
import {
  findBinaries,
  initialiseCluster,
  type PostgresCluster,
  startOnDirectory,
  unprivilegedUser,
} from '../support/postgres-cluster.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** Restores as docs/operate/deploy.md says. */
describe('a PostgreSQL database that is restored to a moment', () => {
  const work = mkdtempSync(join(tmpdir(), 'memhall-restore-'));
  const user = unprivilegedUser();
  const [data, backup, archive, secrets] = ['data', 'base', 'wal', 'secrets'].map((name) => join(work, name)) as [
    string,
    string,
    string,
    string,
  ];
  const heads = join(work, 'heads.jsonl');
  let binaries: string;
  let cluster: PostgresCluster;

  beforeAll(async () => {
    const found = findBinaries();
    if (found === undefined) throw new Error('PostgreSQL is not installed: run scripts/install-postgres.sh');
    binaries = found;
    for (const directory of [archive, secrets]) mkdirSync(directory);
    if (user !== undefined) for (const path of [work, archive]) chownSync(path, user.uid, user.gid);
    initialiseCluster(binaries, data);
    appendFileSync(join(data, 'postgresql.conf'), `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`);
    cluster = await startOnDirectory(binaries, data, []);
    await ask(cluster.url, 'CREATE DATABASE memhall');
    await ask(databaseOf(cluster), 'CREATE EXTENSION vector');
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('has what was stored until then, with sound audit chains and receipts, and serves', async () => {
    const before = await serve(cluster);
    const admin = await before.token({ user: 'boss', roles: ['admin'] });
    const remember = async (content: string, token?: string): Promise<string> => {
      const call = { method: 'POST', path: '/v1/remember', body: { content }, ...(token && { token }) };
      const { status, body } = await before.call(call);
      expect(status).toBe(201);
      return body.memory.id;
    };
    const inBackup = await remember('I take my tea without milk.');
    execFileSync(
      join(binaries, 'pg_basebackup'),
      [`--pgdata=${backup}`, '--wal-method=stream', '--checkpoint=fast', `--dbname=${cluster.url}`],
      { ...user, cwd: work, stdio: 'pipe' },
    );
    await remember('I am gone.', await before.token({ user: 'gone' }));
    const path = '/v1/tenants/t1/users/gone/memory';
    const { receipt } = (await before.call({ method: 'DELETE', path, token: admin })).body;
    const inArchive = await remember('I live in Bergen.');
    const flags = ['--database-url', databaseOf(cluster), '--data', secrets];
    const signed = await runCommand(['audit', 'heads', '--sign-now', '--output', heads, ...flags]);
    expect(signed.code).toBe(0);
    const [{ moment }] = await ask(cluster.url, 'SELECT now()::text AS moment');
    await sleep(50);
    const tooLate = await remember('The mistake.');
    await ask(cluster.url, 'SELECT pg_switch_wal()');
    await before.close();
    await cluster.stop();

    writeFileSync(join(backup, 'recovery.signal'), '');
    const restoring = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
    ];
    appendFileSync(join(backup, 'postgresql.conf'), `${restoring.join('\n')}\n`);
    cluster = await startOnDirectory(binaries, backup, []);
    await untilWritable(cluster);

    const after = await serve(cluster);
    try {
      const statusOf = async (id: string) => (await after.call({ path: `/v1/memories/${id}` })).status;
      expect(await Promise.all([inBackup, inArchive, tooLate].map(statusOf))).toEqual([200, 200, 404]);
      const checked = await after.call({ path: `/v1/tenants/t1/receipts/${receipt.id}`, token: admin });
      expect(checked.body).toMatchObject({ verified: true });
      const restored = ['--database-url', databaseOf(cluster), '--data', secrets];
      expect(await runCommand(['audit', 'verify', '--heads', heads, ...restored])).toMatchObject({ code: 0 });
      const added = { method: 'POST', path: '/v1/remember', body: { content: 'Later.' } };
      expect((await after.call(added)).status).toBe(201);
      expect(await runCommand(['audit', 'verify', ...restored])).toMatchObject({ code: 0 });
    } finally {
      await after.close();
    }
  }, 180_000);

  function serve(on: PostgresCluster): Promise<TestServer> {
    const quiet = { logLevel: 'silent', port: '0', pluginPort: '0', jobs: 'false', embedder: 'none', shedDelayMs: '0' };
    const flags = { databaseUrl: databaseOf(on), dataDirectory: secrets };
    const config = () => readConfig({ ...quiet, ...flags }, {});
    return startTestServer({ kind: 'postgres', flags, directUrl: flags.databaseUrl, config, remove: async () => {} });
  }
});

function databaseOf({ url }: PostgresCluster): string {
  return url.replace(/\/postgres$/, '/memhall');
}

// biome-ignore lint/suspicious/noExplicitAny: rows are looked at, not typed
async function ask(url: string, sql: string): Promise<any> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL answers readers before it has reached the moment. */
async function untilWritable({ url }: PostgresCluster): Promise<void> {
  for (;;) {
    const [{ reading }] = await ask(url, 'SELECT pg_is_in_recovery() AS reading');
    if (!reading) return;
    await sleep(50);
  }
}
