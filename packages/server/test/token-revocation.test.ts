import { uuidv7 } from '@memhall/core';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { forgetOldRevocations } from '../src/engine/tokens/revoke-tokens.js';
import { flagsOf, runCommand } from './support/command.js';
import { createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { useEngine } from './support/engine.js';
import { forgeSecret, forgeToken, inSeconds } from './support/forge-token.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer, type TestServer, useServer } from './support/server.js';

const path = '/v1/tenants/t1/token-revocations';
/** Nodes read revocations every two seconds. A loaded machine may take longer. */
const patience = { timeout: 20_000, interval: 100 };

/** Returns the status of a call with the token: 404 if it is valid. */
async function statusOf(server: TestServer, token: string): Promise<number> {
  return (await server.call({ path: '/v1/memory/working/p/k', token })).status;
}

describeOneDatabase('tokens', (database) => {
  const settings = { jwtSecret: forgeSecret };
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(database(), settings);
  });
  afterAll(() => server?.close());

  const tokenOf = (user: string, tenant = 't1') => server.token({ user, tenant });
  const olderTokenOf = (user: string, tenant = 't1', claims = {}) =>
    forgeToken({ user_id: user, tenant_id: tenant, iat: inSeconds(-10), jti: uuidv7(), ...claims });
  const revoke = async (body: object, tenant = 't1') => {
    const token = await server.token({ tenant, user: 'boss', roles: ['admin'] });
    return server.call({ method: 'POST', path: `/v1/tenants/${tenant}/token-revocations`, body, token });
  };
  const undo = async (id: string) => {
    const token = await server.token({ user: 'boss', roles: ['admin'] });
    return server.call({ method: 'DELETE', path: `${path}/${id}`, token });
  };

  it('have an id and the time they were issued at', async () => {
    const { jti, iat, exp } = decodeJwt(await tokenOf('ann'));
    expect([typeof jti, typeof iat, Number.isInteger(exp)]).toEqual(['string', 'number', true]);
    expect(decodeJwt(await tokenOf('ann')).jti).not.toBe(jti);
  });

  it('are revoked by their id, and only they', async () => {
    const [one, other] = [await tokenOf('ann'), await tokenOf('ann')];
    const { jti = '', exp = 0 } = decodeJwt(one);
    expect(await statusOf(server, one)).toBe(404);
    const { status, body } = await revoke({ token_id: jti, expires_at: new Date(exp * 1000).toISOString() });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^rev_[0-9A-Z]{26}$/),
        token_id: jti,
        expires_at: new Date(exp * 1000 + 60_000).toISOString(),
        created_at: expect.any(String),
      },
    });
    const refused = await server.call({ path: '/v1/memory/working/p/k', token: one });
    expect([refused.status, refused.body.error]).toMatchObject([
      401,
      { code: 'UNAUTHENTICATED', message: 'The token was revoked. Get a new one.' },
    ]);
    expect(await statusOf(server, other)).toBe(404);
    expect(await statusOf(server, forgeToken({ tenant_id: 't2', jti }))).toBe(404);
    expect((await undo(body.id)).status).toBe(204);
    expect(await statusOf(server, one)).toBe(404);
    expect((await undo(body.id)).status).toBe(404);
  });

  it('of a user are revoked up to now, or up to a time', async () => {
    const [old, others] = [olderTokenOf('bea'), olderTokenOf('ben')];
    const { body } = await revoke({ user_id: 'bea' });
    expect(body).toMatchObject({ user_id: 'bea', issued_before: expect.any(String) });
    const fresh = await tokenOf('bea');
    expect([await statusOf(server, old), await statusOf(server, others), await statusOf(server, fresh)]).toEqual([
      401, 404, 404,
    ]);
    // An earlier time does not make tokens valid that were revoked.
    const earlier = await revoke({ user_id: 'bea', issued_before: '2020-01-01T00:00:00Z' });
    expect(earlier.body).toEqual(body);
    expect(await statusOf(server, old)).toBe(401);
    await revoke({ user_id: 'ben', issued_before: '2020-01-01T00:00:00Z' });
    expect(await statusOf(server, others)).toBe(404);
    expect(await statusOf(server, forgeToken({ user_id: 'ben', iat: 1_577_836_799 }))).toBe(401);
    expect(await statusOf(server, forgeToken({ user_id: 'ben', iat: 1_577_836_800 }))).toBe(404);
  });

  it('without a time of issue are revoked with those of their user, since they may be old', async () => {
    const timeless = forgeToken({ user_id: 'cy' });
    expect(await statusOf(server, timeless)).toBe(404);
    const { body } = await revoke({ user_id: 'cy', issued_before: '2020-01-01T00:00:00Z' });
    expect(await statusOf(server, timeless)).toBe(401);
    await undo(body.id);
    expect(await statusOf(server, timeless)).toBe(404);
  });

  it('of a whole tenant are revoked by the time they were issued at', async () => {
    const [ours, theirs] = [olderTokenOf('dan', 't5'), olderTokenOf('dan', 't6')];
    const boss = olderTokenOf('boss', 't5', { roles: ['admin'] });
    expect((await revoke({ issued_before: new Date().toISOString() }, 't5')).status).toBe(200);
    expect([await statusOf(server, ours), await statusOf(server, theirs)]).toEqual([401, 404]);
    expect((await server.call({ path: '/v1/tenants/t5/token-revocations', token: boss })).status).toBe(401);
    expect(await statusOf(server, await tokenOf('dan', 't5'))).toBe(404);
  });

  it('end the streams that were opened with them', async () => {
    const token = await tokenOf('eve');
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const [mine, other] = await Promise.all(
      [headers, { ...headers, authorization: `Bearer ${await tokenOf('fay')}` }].map((given) =>
        fetch(`${server.url}/mcp`, { headers: given }),
      ),
    );
    expect([mine?.status, other?.status]).toEqual([200, 200]);
    await revoke({ token_id: decodeJwt(token).jti });
    await expect(mine?.text()).resolves.toBe(': open\n\n');
    expect((await fetch(`${server.url}/mcp`, { headers })).status).toBe(401);
    await other?.body?.cancel();
  });

  it('are revoked by admins of their tenant only, and every change is audited', async () => {
    const body = { user_id: 'gus' };
    for (const [who, status] of [
      [{ user: 'gus' }, 403],
      [{ user: 'gus', roles: ['service'] }, 403],
      [{ tenant: 't2', user: 'boss', roles: ['admin'] }, 403],
    ] as const) {
      const token = await server.token(who);
      expect((await server.call({ method: 'POST', path, body, token })).status).toBe(status);
      expect((await server.call({ path, token })).status).toBe(status);
    }
    const { body: revoked } = await revoke(body);
    await undo(revoked.id);
    const records = await pastEverything<{ record: string }>(
      database(),
      `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = ''
         AND target = 'token-revocations/${revoked.id}' ORDER BY seq`,
    );
    expect(records.map(({ record }) => JSON.parse(record))).toMatchObject([
      {
        operation: 'tokenRevocations.create',
        actor: { user_id: 'boss' },
        token_revocation: { kind: 'user', subject: 'gus', undone: false },
      },
      { operation: 'tokenRevocations.delete', token_revocation: { kind: 'user', subject: 'gus', undone: true } },
    ]);
  });

  it('are listed in pages while they are revoked', async () => {
    const token = await server.token({ tenant: 't7', user: 'boss', roles: ['admin'] });
    const list = async (query: string) =>
      (await server.call({ path: `/v1/tenants/t7/token-revocations${query}`, token })).body;
    for (const id of ['a', 'b/ü', 'c']) await revoke({ token_id: id }, 't7');
    await revoke({ token_id: 'gone', expires_at: '2020-01-01T00:00:00Z' }, 't7');
    const { token_revocations: first, next_cursor: cursor } = await list('?limit=2');
    const { token_revocations: rest } = await list(`?limit=2&cursor=${cursor}`);
    expect([...first, ...rest].map(({ token_id }: { token_id: string }) => token_id)).toEqual(['a', 'b/ü', 'c']);
  });

  it.each([
    {},
    { token_id: 'a', user_id: 'b' },
    { token_id: 'a', issued_before: '2020-01-01T00:00:00Z' },
    { user_id: 'b', expires_at: '2020-01-01T00:00:00Z' },
    { token_id: '' },
    { issued_before: '2999-01-01T00:00:00Z' },
    { issued_before: 'yesterday' },
    { user_id: 'b', reason: 'x' },
  ])('are not revoked by %j', async (body) => {
    expect((await revoke(body)).status).toBe(400);
  });

  it('are revoked by a command while the server runs', async () => {
    const [byToken, byUser, byAll] = [olderTokenOf('hal'), olderTokenOf('ida'), olderTokenOf('jo', 't8')];
    const flags = flagsOf(database());
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(['token', ...args, ...flags]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    const first = JSON.parse(await run('revoke', '--token', byToken, '--json'));
    expect(first).toMatchObject({ token_id: decodeJwt(byToken).jti, expires_at: expect.any(String) });
    expect(await run('revoke', '--tenant', 't1', '--user', 'ida')).toMatch(
      /^Revoked: (\S+)\nUndo it with: memhall token restore \1 --tenant t1\n$/,
    );
    await run('revoke', '--tenant', 't8', '--everyone', '--before', new Date().toISOString());
    for (const token of [byToken, byUser, byAll]) await expect.poll(() => statusOf(server, token), patience).toBe(401);
    expect(await run('list', '--tenant', 't1', '--json')).toContain(`${JSON.stringify(first)}\n`);
    expect(await run('list', '--tenant', 't1')).toMatch(/^ID +CREATED \(UTC\) .*\n(.*\n)*.* user ida\n/);
    expect(await run('restore', first.id, '--tenant', 't1')).toBe(`Undone: ${first.id}\n`);
    await expect.poll(() => statusOf(server, byToken), patience).toBe(404);
  });
});

describeOneDatabase('a list of revoked tokens that cannot be read', (database) => {
  const server = useServer(database, { jwtSecret: forgeSecret });

  it('stays in force, and health says so', async () => {
    const [operator, admin, gone] = [
      await server().token({ roles: ['operator'] }),
      await server().token({ user: 'boss', roles: ['admin'] }),
      forgeToken({ user_id: 'kim', iat: inSeconds(-10) }),
    ];
    const health = async () => (await server().call({ path: '/health', token: operator })).body;
    expect(await health()).toMatchObject({ status: 'ok', token_revocations: { status: 'ok', entries: 0 } });
    await server().call({ method: 'POST', path, body: { user_id: 'kim' }, token: admin });
    expect(await health()).toMatchObject({ token_revocations: { status: 'ok', entries: 1 } });
    await pastEverything(database(), 'REVOKE SELECT ON memhall.token_revocations FROM memhall_worker');
    await expect.poll(health, patience).toMatchObject({ status: 'degraded', token_revocations: { status: 'stale' } });
    expect([await statusOf(server(), gone), await statusOf(server(), admin)]).toEqual([401, 404]);
    await pastEverything(database(), 'GRANT SELECT ON memhall.token_revocations TO memhall_worker');
    await expect.poll(health, patience).toMatchObject({ status: 'ok', token_revocations: { status: 'ok' } });
  });
});

describeOneDatabase('tokens with a limited life', (database) => {
  const server = useServer(database, { jwtSecret: forgeSecret, tokenMaxHours: '1' });

  it('are rejected if they are valid for longer or do not say since when', async () => {
    const now = inSeconds(0);
    expect(await statusOf(server(), forgeToken({ iat: now, exp: now + 3600 }))).toBe(404);
    expect(await statusOf(server(), forgeToken({ iat: now, exp: now + 3601 }))).toBe(401);
    expect(await statusOf(server(), forgeToken({ exp: now + 600 }))).toBe(401);
  });

  it('need a revocation only until they have expired', async () => {
    const token = await server().token({ user: 'boss', roles: ['admin'] });
    const { body } = await server().call({ method: 'POST', path, body: { user_id: 'lou' }, token });
    expect(Date.parse(body.expires_at) - Date.parse(body.issued_before)).toBe(3_660_000);
  });
});

describeOneDatabase('old revocations', (database) => {
  const running = useEngine(database);

  it('are deleted once their tokens have expired, or an hour after they were undone', async () => {
    const insert = (id: string, expiresAt: string, undoneAt: string) =>
      pastEverything(
        database(),
        `INSERT INTO memhall.token_revocations VALUES ('t1', '${id}', 'token', '${id}', NULL, ${expiresAt}, now(), now(), ${undoneAt})`,
      );
    await insert('known', `now() + interval '1 minute'`, 'NULL');
    await insert('unknown', 'NULL', 'NULL');
    await insert('expired', `now() - interval '1 minute'`, 'NULL');
    await insert('undone', 'NULL', `now() - interval '2 hours'`);
    await insert('just-undone', 'NULL', 'now()');
    expect(await forgetOldRevocations(running().engine, 't1')).toBe(2);
    const rows = await pastEverything<{ id: string }>(
      database(),
      'SELECT id FROM memhall.token_revocations ORDER BY id',
    );
    expect(rows.map(({ id }) => id)).toEqual(['just-undone', 'known', 'unknown']);
  });
});

describe.runIf(inject('postgresUrl') !== null)('two servers on one PostgreSQL', () => {
  let database: TestDatabase;
  let nodes: TestServer[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    nodes = await Promise.all([1, 2].map(() => startTestServer(database, { jwtSecret: forgeSecret })));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database?.remove();
  });

  it('both reject a token that one of them revoked, and accept it when the other undoes that', async () => {
    const [one, two] = nodes as [TestServer, TestServer];
    const token = forgeToken({ user_id: 'mia', iat: inSeconds(-10) });
    const admin = await one.token({ user: 'boss', roles: ['admin'] });
    expect([await statusOf(one, token), await statusOf(two, token)]).toEqual([404, 404]);
    const { body } = await one.call({ method: 'POST', path, body: { user_id: 'mia' }, token: admin });
    expect(await statusOf(one, token)).toBe(401);
    await expect.poll(() => statusOf(two, token), patience).toBe(401);
    expect((await two.call({ method: 'DELETE', path: `${path}/${body.id}`, token: admin })).status).toBe(204);
    expect(await statusOf(two, token)).toBe(404);
    await expect.poll(() => statusOf(one, token), patience).toBe(404);
  });
});
