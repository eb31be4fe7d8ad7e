import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { send, startTestServer, type TestServer } from './support/server.js';

describe('memhall backup', () => {
  let database: TestDatabase;
  let server: TestServer;
  let target: string;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    server = await startTestServer(database);
    target = join(database.flags.dataDirectory ?? '', 'backups', 'one');
  });
  afterAll(async () => {
    await server.close();
    await database.remove();
  });

  const remember = (content: string) => server.call({ method: 'POST', path: '/v1/remember', body: { content } });

  it('copies what is stored while others write, and a server on the copy has it, with a sound audit log and receipts', async () => {
    await server.call({
      method: 'POST',
      path: '/v1/remember',
      body: { content: 'gone' },
      token: await server.token({ user: 'gone' }),
    });
    const admin = await server.token({ user: 'boss', roles: ['admin'] });
    const path = '/v1/tenants/t1/users/gone/memory';
    const { body: forgotten } = await server.call({ method: 'DELETE', path, token: admin });
    const acknowledged: string[] = [];
    let isBackedUp = false;
    const writing = (async () => {
      for (let number = 0; !isBackedUp; number++) {
        const answer = await remember(`Note number ${number}.`);
        expect(answer.status).toBe(201);
        acknowledged.push(answer.body.memory.id);
        await sleep(10);
      }
    })();
    while (acknowledged.length < 5) await sleep(10);
    const before = [...acknowledged];
    const { code, stdout } = await runCommand(['backup', target, '--json', ...flagsOf(database)]);
    isBackedUp = true;
    await writing;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      directory: target,
      files: expect.any(Number),
      bytes: expect.any(Number),
      paused_ms: expect.any(Number),
      secrets: ['jwt-secret', 'master-key', 'audit-key'],
    });
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'master-key')).mode & 0o777).toBe(0o600);

    const restored = { ...database, flags: { dataDirectory: target } };
    const flags = flagsOf(restored);
    expect((await runCommand(['audit', 'verify', ...flags])).code).toBe(0);
    const copy = await startTestServer({
      ...restored,
      config: (extra) => database.config({ dataDirectory: target, ...extra }),
    });
    try {
      const token = await server.token();
      for (const id of before) {
        expect((await send(copy.url, { path: `/v1/memories/${id}`, token })).status).toBe(200);
      }
      const receipt = await send(copy.url, { path: `/v1/tenants/t1/receipts/${forgotten.receipt.id}`, token: admin });
      expect(receipt.body).toMatchObject({ verified: true });
      const added = { method: 'POST', path: '/v1/remember', body: { content: 'In the copy.' }, token };
      expect((await send(copy.url, added)).status).toBe(201);
    } finally {
      await copy.close();
    }
  });

  it('leaves out the secrets if asked to, and says so', async () => {
    const plain = `${target}-plain`;
    const { stdout } = await runCommand(['backup', plain, '--without-secrets', ...flagsOf(database)]);
    expect(stdout).toMatch(/^Backup complete: \S+, files=\d+ bytes=\d+ paused_ms=\d+\nIt contains no secrets\.\n$/);
    expect(readdirSync(plain)).toEqual(['postgres']);
  });

  it('does not write into a directory that exists, and leaves nothing behind', async () => {
    const taken = `${target}-taken`;
    mkdirSync(taken);
    const { code, stderr } = await runCommand(['backup', taken, ...flagsOf(database)]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${taken} already exists: choose a directory that does not.`);
    expect(readdirSync(dirname(taken)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('says what to do where there is no embedded database', async () => {
    const elsewhere = await runCommand(['backup', `${target}-no`, '--data', `${target}-missing`]);
    expect(elsewhere.stderr).toContain('There is no database in');
    const postgres = await runCommand(['backup', `${target}-no`, '--database-url', 'postgres://nobody@127.0.0.1:1/x']);
    expect(postgres.stderr).toContain('Use pg_basebackup or pg_dump for PostgreSQL');
    expect(existsSync(`${target}-missing`)).toBe(false);
  });
});
