import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { keepLog } from './support/keep-log.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { RawConnection } from './support/raw-http.js';
import { type Answer, send, startTestServer, type TestServer } from './support/server.js';

const tenant = 'default';

describe('users created without a token', () => {
  let database: TestDatabase;
  let server: TestServer | undefined;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database.remove());
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function start(settings: Record<string, string> = {}, logger = keepLog().logger): Promise<TestServer> {
    server = await startTestServer(database, settings, logger);
    return server;
  }
  const create = ({ url }: { url: string }, user: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(url, { method: 'POST', path: '/users', body: { user_id: user }, headers });

  it('must not have stored anything yet, through any surface', async () => {
    const running = await start();
    // Merging needs a subject that another call stores.
    const writesOf = (user: string) =>
      personalWrites({ tenant, user }, newMarker()).filter((call) => !call.path.endsWith(':merge'));
    const kinds = writesOf('x').length;
    for (let kind = 0; kind < kinds; kind++) {
      const user = `writer-${kind}`;
      const call = writesOf(user)[kind];
      const token = await running.token({ tenant, user });
      expect((await running.call({ ...call, path: call?.path ?? '', token })).status).toBeLessThan(300);
      expectProblem(await create(running, user), 'UNAUTHENTICATED');
    }
    expect(await keysOf(database, 'writer-')).toEqual([]);
    const admin = await running.token({ tenant, user: 'boss', roles: ['admin'] });
    const created = { method: 'POST', path: '/users', body: { user_id: 'writer-0' }, token: admin };
    expect((await running.call(created)).body.user_key).toMatch(/^uk_/);
  });

  it('must not have memories in their workspace', async () => {
    const running = await start();
    const { pluginUrl } = running;
    const write = (path: string, body: unknown) =>
      send(pluginUrl ?? '', { method: path.endsWith('memories') ? 'POST' : 'PUT', path, body });
    await write('/v1/namespaces/workspace%3Aworker', { kind: 'workspace' });
    const kept = await write('/v1/namespaces/workspace%3Aworker/memories', {
      content: 'The walrus sleeps.',
      kind: 'fact',
      source: 'agent',
    });
    expect(kept).toMatchObject({ status: 201 });
    expectProblem(await create(running, 'worker'), 'UNAUTHENTICATED');
    expect((await create(running, 'work')).status).toBe(200);
  });

  it('get no second key, and no error, if they are created again', async () => {
    const running = await start();
    const first = await create(running, 'twice');
    expect(first.body.user_key).toMatch(/^uk_/);
    const again = await create(running, 'twice');
    expect([again.status, again.body]).toEqual([200, { user_id: 'twice', created_at: first.body.created_at }]);
  });

  it('can be switched off', async () => {
    const running = await start({ usersWithoutToken: 'false' });
    expectProblem(await create(running, 'switched'), 'UNAUTHENTICATED');
  });

  it('are refused if the server is bound to more than loopback', async () => {
    const running = await start({ host: '0.0.0.0' });
    expectProblem(await create({ url: running.url.replace('0.0.0.0', '127.0.0.1') }, 'wide'), 'UNAUTHENTICATED');
  });

  it.each([
    ['another name', 'GET /health HTTP/1.1\r\nHost: memory.example'],
    ['another address', 'GET /health HTTP/1.1\r\nHost: 192.0.2.7:8010'],
    ['a malformed name', 'GET /health HTTP/1.1\r\nHost: [::1%lo]'],
    ['a path that does not exist', 'GET /nowhere HTTP/1.1\r\nHost: memory.example'],
    ['a proxy that says so', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 127.0.0.1'],
    ['a proxy that speaks HTTP/1.0, as nginx does', 'GET /health HTTP/1.0\r\nHost: 127.0.0.1:8010'],
  ])('are refused until the next start once the server was reached through %s', async (_, head) => {
    const { logger, log } = keepLog();
    const running = await start({}, logger);
    const connection = await RawConnection.open(running.url);
    await connection.send(`${head}\r\nConnection: close\r\n\r\n`);
    expect((await connection.answer())?.status).toBeLessThan(500);
    connection.destroy();
    const refused = await create(running, 'late');
    expectProblem(refused, 'UNAUTHENTICATED');
    expect(refused.body.error.message).toMatch(/reached .* other than loopback/);
    await create(running, 'late');
    expect(log().match(/users are no longer created without a token/g)).toHaveLength(1);
  });

  it('are created again after a restart', async () => {
    const running = await start();
    expect((await send(running.url, { path: '/health', headers: { via: '1.1 proxy' } })).status).toBe(200);
    expectProblem(await create(running, 'patient'), 'UNAUTHENTICATED');
    await running.close();
    expect((await create(await start(), 'patient')).status).toBe(200);
  });

  it('can be created under every loopback name', async () => {
    const running = await start();
    for (const name of ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.1.2.3', '[::1]:8010']) {
      const body = JSON.stringify({ user_id: newMarker() });
      const connection = await RawConnection.open(running.url);
      const head = `POST /users HTTP/1.1\r\nHost: ${name}\r\nContent-Type: application/json\r\nConnection: close`;
      await connection.send(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      expect([name, (await connection.answer())?.status]).toEqual([name, 200]);
      connection.destroy();
    }
  });

  it('are limited to a number per minute', async () => {
    const running = await start({ quotaTokenlessPerMinute: '2' });
    const answers = [];
    for (let number = 0; number < 3; number++) answers.push(await create(running, `quick-${number}`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answers[2]?.body.error.message).toMatch(/without a token/);
    const admin = await running.token({ tenant, user: 'boss', roles: ['admin'] });
    const created = { method: 'POST', path: '/users', body: { user_id: 'quick-2' }, token: admin };
    expect((await running.call(created)).status).toBe(200);
  });

  it.each([
    ['their tenant', { quotaTenantPerMinute: '1' }, 'other'],
    ['the user', { quotaUserPerMinute: '1' }, 'counted'],
  ])('count toward the quota of %s', async (_, settings, second) => {
    const running = await start(settings);
    expect((await create(running, 'counted')).status).toBe(200);
    expect((await create(running, second)).status).toBe(429);
  });
});

async function keysOf(database: TestDatabase, prefix: string): Promise<string[]> {
  const rows = await pastEverything<{ user_id: string }>(
    database,
    `SELECT user_id FROM memhall.user_keys WHERE user_id LIKE '${prefix}%'`,
  );
  return rows.map(({ user_id }) => user_id);
}
