import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from './support/expect-refusal.js';
import { encodePart as encode, forgeToken as forge, forgeSecret, inSeconds } from './support/forge-token.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { RawConnection } from './support/raw-http.js';
import { send } from './support/server.js';

const path = '/v1/memory/working/p/k';

describe('tokens signed with the secret', () => {
  let server: LoggedServer;
  beforeAll(async () => {
    server = await startLoggedServer();
  });
  afterAll(() => server.close());

  const authorized = (authorization: string) => send(server.url, { path, headers: { authorization } });

  it('are accepted with HS256, whatever the case of "Bearer"', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await authorized(`${scheme} ${forge()}`)).status).toBe(404);
    }
  });

  it.each([
    ['no token', {}],
    ['an empty header', { authorization: '' }],
    ['no scheme', { authorization: 'abc' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['garbage', { authorization: 'Bearer garbage' }],
    ['garbage in three parts', { authorization: 'Bearer a.b.c' }],
    ['three empty parts', { authorization: 'Bearer ..' }],
    ['a token of two parts', { authorization: `Bearer ${forge().split('.').slice(0, 2).join('.')}` }],
    ['a token of four parts', { authorization: `Bearer ${forge()}.x` }],
    ['two tokens', { authorization: `Bearer ${forge()}, Bearer ${forge()}` }],
    ['Basic', { authorization: `Basic ${Buffer.from('u1:password').toString('base64')}` }],
    ['a valid token as Basic', { authorization: `Basic ${forge()}` }],
  ])('are required: %s is rejected', async (_name, headers: Record<string, string>) => {
    expectRefusal(await send(server.url, { path, headers }));
  });

  const unsigned = `${encode({ alg: 'none' })}.${encode({ exp: inSeconds(600), tenant_id: 't1', user_id: 'u1' })}.`;
  const [head, , signature] = forge().split('.');
  it.each([
    ['expired', forge({ exp: inSeconds(-60) })],
    ['without exp', forge({ exp: undefined })],
    ['with exp as text', forge({ exp: 'tomorrow' })],
    ['not valid yet', forge({ nbf: inSeconds(60) })],
    ['with alg none', unsigned],
    ['with alg none and a signature', `${unsigned}${signature}`],
    ['with alg None', forge({}, { alg: 'None' })],
    ['with HS512 in its header', forge({}, { alg: 'HS512' })],
    ['with RS256 in its header', forge({}, { alg: 'RS256' })],
    ['with no alg', forge({}, { alg: undefined })],
    ['with an unknown critical header', forge({}, { crit: ['x'], x: 1 })],
    ['signed with another secret', forge({}, {}, 'another secret of at least 32 bytes!')],
    ['signed with an empty secret', forge({}, {}, '')],
    ['with its payload changed', `${head}.${encode({ exp: inSeconds(600), tenant_id: 't2' })}.${signature}`],
    ['with its signature cut off', forge().split('.').slice(0, 2).join('.').concat('.')],
    ['without tenant_id', forge({ tenant_id: undefined })],
    ['with tenant_id null', forge({ tenant_id: null })],
    ['with a space in tenant_id', forge({ tenant_id: 't 1' })],
    ['with a number as tenant_id', forge({ tenant_id: 1 })],
    ['with a list as tenant_id', forge({ tenant_id: ['t1'] })],
    ['with a line break after tenant_id', forge({ tenant_id: 't1\n' })],
    ['with user_id too long', forge({ user_id: 'u'.repeat(129) })],
    ['with user_id empty', forge({ user_id: '' })],
    ['with user_id null', forge({ user_id: null })],
    ['with a NUL in user_id', forge({ user_id: 'u1\u0000' })],
    ['with a slash in sub', forge({ user_id: undefined, sub: 'a/b' })],
    ['with a number as service_id', forge({ service_id: 7 })],
    ['with a space in azp', forge({ azp: 'my app' })],
    ['with roles that are no list', forge({ roles: 'admin' })],
  ])('are rejected: %s', async (_name, token) => {
    const answer = await authorized(`Bearer ${token}`);
    expectRefusal(answer);
    expect(JSON.stringify(answer.body)).not.toContain(token.slice(0, 20));
  });

  it('can carry ids of up to 128 characters, and unknown roles next to known ones', async () => {
    const token = forge({ tenant_id: 't'.repeat(128), user_id: 'a.B_c:d@e-f', roles: ['Reader', 7, null, 'admin'] });
    expect((await authorized(`Bearer ${token}`)).status).toBe(404);
    const foreign = await send(server.url, { path: `${path}?user_id=x`, token: forge({ roles: ['Admin', 'root'] }) });
    expect(foreign.status).toBe(403);
  });

  it('name the user in user_id, or else in sub', async () => {
    const put = (user: Record<string, string>, value: string) =>
      send(server.url, { method: 'PUT', path, body: { value }, token: forge({ user_id: undefined, ...user }) });
    expect((await put({ sub: 'from-sub' }, 'a')).status).toBe(200);
    expect((await put({ user_id: 'from-user-id', sub: 'from-sub' }, 'b')).status).toBe(200);
    const read = async (user: string) => (await send(server.url, { path, token: forge({ user_id: user }) })).body.value;
    expect(await read('from-sub')).toBe('a');
    expect(await read('from-user-id')).toBe('b');
  });

  it('can omit the user, and then a service must name one', async () => {
    const token = forge({ user_id: undefined, azp: 'crm', roles: ['service'] });
    const unnamed = await send(server.url, { path, token });
    expect(unnamed.status).toBe(400);
    expect(unnamed.body.error.message).toMatch(/user_id/);
    expect((await send(server.url, { path: `${path}?user_id=nobody`, token })).status).toBe(404);
  });

  it('are checked before the body is read', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{"broken', 'x'.repeat(10_000_000)]) {
      const response = await fetch(`${server.url}${path}`, { method: 'PUT', headers, body });
      expect(response.status).toBe(401);
    }
    const slow = await RawConnection.open(server.url);
    await slow.send(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\n`);
    expect((await slow.answer())?.status).toBe(401);
    slow.destroy();
  });

  it('act for their own user only: another user in the query or body returns 403', async () => {
    const token = forge();
    const answers = [
      await send(server.url, { path: `${path}?user_id=u2`, token }),
      await send(server.url, { method: 'DELETE', path: `${path}?user_id=u2`, token }),
      await send(server.url, { method: 'PUT', path, body: { value: 1, user_id: 'u2' }, token }),
    ];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('give an operator no access to memory, unless another role does', async () => {
    const call = (roles: string[]) => send(server.url, { path, token: forge({ roles }) });
    expect((await call(['operator'])).status).toBe(403);
    expect((await call(['operator', 'Reader'])).status).toBe(403);
    expect((await call(['operator', 'service'])).status).toBe(404);
  });

  it('never appear in the log, not even in part', async () => {
    const tokens = [forge(), forge({ exp: 1 }), forge({}, {}, 'wrong'), forge({ roles: ['operator'] })];
    for (const token of tokens) await authorized(`Bearer ${token}`);
    await authorized('Bearer hunter2');
    expect(server.log()).toContain('"operation":"working.get"');
    for (const part of [...tokens.flatMap((token) => token.split('.').slice(1)), 'hunter2', forgeSecret, 'earer']) {
      expect(server.log()).not.toContain(part);
    }
  });
});
