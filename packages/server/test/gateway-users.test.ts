import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, describeEachDatabase } from './support/databases.js';
import { findText } from './support/find-text.js';
import { GatewayUser } from './support/gateway-user.js';
import { keepLog } from './support/keep-log.js';
import { pastEverything } from './support/past-everything.js';
import { RawConnection } from './support/raw-http.js';
import { type Answer, startTestServer, type TestServer } from './support/server.js';

const wrong = 'The user_id or the user_key is wrong.';

describeEachDatabase('gateway users', (database) => {
  const { logger, log } = keepLog();
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer(database(), {}, logger);
    admin = await server.token({ user: 'boss', roles: ['admin'] });
  });
  afterAll(() => server?.close());

  const register = (body: unknown, token = admin, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call({ method: 'POST', path: '/users', body, token, headers });
  const search = (identity: object): Promise<Answer> =>
    server.call({ method: 'POST', path: '/memories/search', body: { query: 'tea', ...identity }, token: '' });

  it('are created once, with a key that is returned once', async () => {
    const first = await register({ user_id: 'once' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      user_id: 'once',
      user_key: expect.stringMatching(/^uk_[A-Za-z0-9_-]{43}$/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const again = await register({ user_id: 'once', rotate: false });
    expect(again.body).toEqual({ user_id: 'once', created_at: first.body.created_at });
    expect((await search(first.body && { user_id: 'once', user_key: first.body.user_key })).status).toBe(200);
  });

  it('are created once even by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register({ user_id: 'crowd' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.user_key !== undefined)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.created_at)).size).toBe(1);
  });

  it('get a new key on request, and the old key stops working', async () => {
    const first = await register({ user_id: 'turns' });
    const second = await register({ user_id: 'turns', rotate: true });
    expect(second.body).toEqual({ ...first.body, user_key: expect.stringMatching(/^uk_/) });
    expect(second.body.user_key).not.toBe(first.body.user_key);
    expect((await search({ user_id: 'turns', user_key: first.body.user_key })).status).toBe(401);
    expect((await search({ user_id: 'turns', user_key: second.body.user_key })).status).toBe(200);
  });

  it('are created only with a token of role service or admin', async () => {
    expect((await register({ user_id: 'u' }, await server.token({ user: 'u' }))).status).toBe(403);
    expect((await register({ user_id: 'u' }, await server.token({ roles: ['operator'] }))).status).toBe(403);
    expect((await register({ user_id: 'u' }, 'no.such.token')).status).toBe(401);
    const service = await server.token({ service: 's1', roles: ['service'] });
    expect((await register({ user_id: 'by-service' }, service)).status).toBe(200);
  });

  it('need no token on the embedded database from this machine, except to replace a key', async () => {
    const isEmbedded = database().kind === 'embedded';
    const made = await register({ user_id: 'local' }, '');
    expect(made.status).toBe(isEmbedded ? 200 : 401);
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '::1' },
      { 'x-forwarded-host': 'localhost' },
      { via: '1.1 proxy' },
    ]) {
      expect((await register({ user_id: 'far' }, '', headers as Record<string, string>)).status).toBe(401);
    }
    expect((await register({ user_id: 'local', rotate: true }, '')).status).toBe(401);
    expect((await register({ user_id: 'other', rotate: true }, '')).status).toBe(401);
    if (!isEmbedded) return;
    expect((await search({ user_id: 'local', user_key: made.body.user_key })).status).toBe(200);
    const rows = await pastEverything(database(), `SELECT tenant_id FROM memhall.user_keys WHERE user_id = 'local'`);
    expect(rows).toEqual([{ tenant_id: 'default' }]);
  });

  it('cannot be created by a web page that resolves its own name to this machine', async () => {
    const { port } = new URL(server.url);
    const body = JSON.stringify({ user_id: 'rebound' });
    const head = `POST /users HTTP/1.1\r\nHost: evil.example:${port}\r\nContent-Type: application/json\r\nConnection: close`;
    const connection = await RawConnection.open(server.url);
    await connection.send(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect((await connection.answer())?.status).toBe(401);
    connection.destroy();
  });

  it('get the same error message whatever is wrong', async () => {
    const one = await GatewayUser.of(server);
    const elsewhere = await GatewayUser.of(server, { tenant: 't2', user: one.user });
    expect(elsewhere.key).not.toBe(one.key);
    for (const identity of [
      { user_id: one.user, user_key: `uk_${'A'.repeat(43)}` },
      { user_id: 'nobody', user_key: one.key },
      { user_id: 'nobody', user_key: `uk_${'A'.repeat(43)}` },
      { user_id: one.user, user_key: 'x' },
      { user_id: one.user, user_key: '' },
      { user_id: 'not an id!', user_key: one.key },
      { user_id: one.user, user_key: `${one.key} ` },
      { user_id: one.user.toUpperCase(), user_key: one.key },
      { user_id: one.user, user_key: createHash('sha256').update(one.key).digest('hex') },
    ]) {
      const { status, body, headers } = await search(identity);
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: { code: 'UNAUTHENTICATED', message: wrong, request_id: headers.get('x-request-id') } },
      });
    }
  });

  it('are identified by their key, so the same name in another tenant is another user', async () => {
    const one = await GatewayUser.of(server);
    const other = await GatewayUser.of(server, { tenant: 't2', user: one.user });
    await one.say('c', 'The walrus sleeps.');
    expect(await other.found('walrus', { conversation_id: 'c', scope: ['current_chat', 'all_user_memory'] })).toEqual(
      [],
    );
    expect(await one.texts('walrus', { conversation_id: 'c' })).toEqual(['The walrus sleeps.']);
  });

  it.each([
    [{}, /"user_id" is required/],
    [{ user_id: '' }, /user_id/],
    [{ user_id: 'a b' }, /user_id/],
    [{ user_id: 'a', rotate: 'yes' }, /rotate/],
    [{ user_id: 'a', role: 'admin' }, /Unknown field "role"/],
    [[], /object/],
  ])('are rejected with %j', async (body, message) => {
    const answer = await register(body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.error)).toEqual(['code', 'message', 'request_id']);
    expect(answer.body.error.message).toMatch(message);
  });

  it('lose their keys when they or their tenant are erased', async () => {
    const gone = await GatewayUser.of(server, { tenant: 't3' });
    const rest = await GatewayUser.of(server, { tenant: 't3' });
    await gone.say('c', 'Forget this walrus.');
    await gone.flush('c');
    const boss = await server.token({ tenant: 't3', user: 'boss', roles: ['admin'] });
    const forgotten = await server.call({
      method: 'DELETE',
      path: `/v1/tenants/t3/users/${gone.user}/memory`,
      token: boss,
    });
    expect(forgotten.status).toBe(200);
    expect(forgotten.body.counts).toMatchObject({ user_keys: 1 });
    expect((await search(gone.identity)).status).toBe(401);
    expect((await search(rest.identity)).status).toBe(200);
    expect(await findText(database(), 'Forget this walrus')).toEqual([]);
    expect((await server.call({ method: 'DELETE', path: '/v1/tenants/t3', token: boss })).status).toBe(200);
    expect((await search(rest.identity)).status).toBe(401);
  });

  it('have a key that appears in no response, log, audit record or table', async () => {
    const me = await GatewayUser.of(server);
    const body = me.key.slice(3);
    const answers = [
      await me.add('c', [{ content: 'The walrus sings.' }]),
      await me.search('walrus', { conversation_id: 'c' }),
      await me.flush('c'),
      await me.post('/memories/search', { query: 'x', [me.key]: 1 }),
      await me.post('/memories/search', { query: 'x', scope: [me.key] }),
      await me.post('/memories/search', { query: 'x', user_id: me.key }),
      await me.post('/memories/search', { query: 'x', app_id: ` ${me.key}` }),
      await me.post(`/memories/search?${me.key}=1`, { query: 'x' }),
      await me.post(`/memories/${me.key}`),
      await server.call({ method: 'POST', path: '/memories/search', body: `{"user_key":"${me.key}"`, token: '' }),
      await register({ user_id: me.user, rotate: true }),
    ];
    const rotated = answers.pop()?.body.user_key;
    for (const answer of answers) expect(JSON.stringify(answer.body)).not.toContain(body);
    expect(log()).toContain('gateway.search');
    for (const secret of [body, rotated.slice(3)]) {
      expect(log()).not.toContain(secret);
      expect(await findText(database(), secret)).toEqual([]);
    }
    const records = await pastEverything<{ record: string }>(
      database(),
      `SELECT record FROM memhall.audit_records WHERE user_id = '${me.user}' AND target = 'user/${me.user}' ORDER BY seq`,
    );
    expect(records.map(({ record }) => JSON.parse(record))).toMatchObject([
      { operation: 'users.register', user_key: 'made', actor: { user_id: 'boss' } },
      { operation: 'users.register', user_key: 'replaced', content_sha256: null },
    ]);
  });
});

describe('gateway users with quotas', () => {
  it('share one quota across all callers that act for them', async () => {
    const own = await createTestDatabase('embedded');
    const limited = await startTestServer(own, { quotaUserPerMinute: '3' });
    try {
      const me = await GatewayUser.of(limited);
      const statuses = [];
      for (let call = 0; call < 3; call++) statuses.push((await me.search('walrus')).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await limited.close();
      await own.remove();
    }
  });
});
