import { createHmac } from 'node:crypto';
import { Writable } from 'node:stream';
import { exportJWK, exportSPKI, type JWTPayload } from 'jose';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startServer, tokenSecret } from '../src/main.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { audience, issuer, KeySetServer, makeKey, type SigningKey, sign } from './support/key-set-server.js';
import { RawConnection } from './support/raw-http.js';
import { type Answer, send } from './support/server.js';

const path = '/v1/memory/working/p/k';
const secretText = 'a secret of at least thirty-two bytes';

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A token with any header and claims, signed with HMAC; undefined takes a claim out. */
function forge(claims: JWTPayload = {}, header: object = {}, secret = secretText): string {
  const text = `${encode({ alg: 'HS256', ...header })}.${encode({ exp: inSeconds(600), tenant_id: 't1', user_id: 'u1', ...claims })}`;
  return `${text}.${hmac(text, secret)}`;
}

/** A database, and a server on it whose log is kept. */
async function start(settings: Record<string, string>) {
  const database: TestDatabase = await createTestDatabase('embedded');
  const config = { ...database.config(settings) };
  let log = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const server: RunningServer = await startServer(config, pino({ level: 'trace' }, sink));
  return {
    url: server.url,
    secret: await tokenSecret(config),
    log: () => log,
    authorized: (authorization: string) => send(server.url, { path, headers: { authorization } }),
    async close() {
      await server.close();
      await database.remove();
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

function expectRefusal(answer: Answer): void {
  expect(answer.body.error).toMatchObject({ code: 'UNAUTHENTICATED', request_id: answer.headers.get('x-request-id') });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

describe('tokens signed with the secret', () => {
  let server: Started;
  beforeAll(async () => {
    server = await start({ jwtSecret: secretText });
  });
  afterAll(() => server.close());

  it('are accepted with HS256, whatever the case of "Bearer"', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await server.authorized(`${scheme} ${forge()}`)).status).toBe(404);
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
  ])('are required: %s is refused', async (_name, headers: Record<string, string>) => {
    expectRefusal(await send(server.url, { path, headers }));
  });

  const unsigned = `${encode({ alg: 'none' })}.${encode({ exp: inSeconds(600), tenant_id: 't1', user_id: 'u1' })}.`;
  const [head, , signature] = forge().split('.');
  it.each([
    ['expired', forge({ exp: inSeconds(-60) })],
    ['without exp', forge({ exp: undefined })],
    ['with exp as text', forge({ exp: 'tomorrow' as unknown as number })],
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
  ])('are refused when %s', async (_name, token) => {
    const answer = await server.authorized(`Bearer ${token}`);
    expectRefusal(answer);
    expect(JSON.stringify(answer.body)).not.toContain(token.slice(0, 20));
  });

  it('carry ids of up to 128 characters, and roles of others beside ours', async () => {
    const token = forge({ tenant_id: 't'.repeat(128), user_id: 'a.B_c:d@e-f', roles: ['Reader', 7, null, 'admin'] });
    expect((await server.authorized(`Bearer ${token}`)).status).toBe(404);
    const foreign = await send(server.url, { path: `${path}?user_id=x`, token: forge({ roles: ['Admin', 'root'] }) });
    expect(foreign.status).toBe(403);
  });

  it('name the user in user_id, else in sub', async () => {
    const put = (user: JWTPayload, value: string) =>
      send(server.url, { method: 'PUT', path, body: { value }, token: forge({ user_id: undefined, ...user }) });
    expect((await put({ sub: 'from-sub' }, 'a')).status).toBe(200);
    expect((await put({ user_id: 'from-user-id', sub: 'from-sub' }, 'b')).status).toBe(200);
    const read = async (user: string) => (await send(server.url, { path, token: forge({ user_id: user }) })).body.value;
    expect(await read('from-sub')).toBe('a');
    expect(await read('from-user-id')).toBe('b');
  });

  it('may name no user; then a service says whom it means', async () => {
    const token = forge({ user_id: undefined, azp: 'crm', roles: ['service'] });
    const unnamed = await send(server.url, { path, token });
    expect(unnamed.status).toBe(400);
    expect(unnamed.body.error.message).toMatch(/user_id/);
    expect((await send(server.url, { path: `${path}?user_id=nobody`, token })).status).toBe(404);
  });

  it('are checked before the body is looked at', async () => {
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

  it('speak for their own user only: another one in query or body is 403', async () => {
    const token = forge();
    const answers = [
      await send(server.url, { path: `${path}?user_id=u2`, token }),
      await send(server.url, { method: 'DELETE', path: `${path}?user_id=u2`, token }),
      await send(server.url, { method: 'PUT', path, body: { value: 1, user_id: 'u2' }, token }),
    ];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('give an operator no memory, unless another role does', async () => {
    const call = (roles: string[]) => send(server.url, { path, token: forge({ roles }) });
    expect((await call(['operator'])).status).toBe(403);
    expect((await call(['operator', 'Reader'])).status).toBe(403);
    expect((await call(['operator', 'service'])).status).toBe(404);
  });

  it('never appear in the log, nor do their parts', async () => {
    const tokens = [forge(), forge({ exp: 1 }), forge({}, {}, 'wrong'), forge({ roles: ['operator'] })];
    for (const token of tokens) await server.authorized(`Bearer ${token}`);
    await server.authorized('Bearer hunter2');
    expect(server.log()).toContain('"operation":"working.get"');
    for (const part of [...tokens.flatMap((token) => token.split('.').slice(1)), 'hunter2', secretText, 'earer']) {
      expect(server.log()).not.toContain(part);
    }
  });
});

describe('tokens of an identity provider', () => {
  const keySet = new KeySetServer();
  let server: Started;
  let rsa: SigningKey;
  let elliptic: SigningKey;
  beforeAll(async () => {
    [rsa, elliptic] = await Promise.all([makeKey('RS256', 'rsa'), makeKey('ES256', 'ec')]);
    keySet.keys = [rsa, elliptic];
    await keySet.start();
    server = await start({ jwksUrl: keySet.url, jwtIssuer: issuer, jwtAudience: audience });
  });
  afterEach(() => {
    keySet.state = 'ok';
  });
  afterAll(async () => {
    vi.useRealTimers();
    await server.close();
    keySet.stop();
  });

  /** Moves the clock. The key set may be asked again after half a minute, and must be after ten. */
  const wait = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

  it('are accepted with RS256 and ES256', async () => {
    for (const key of [rsa, elliptic]) expect((await server.authorized(`Bearer ${await sign(key)}`)).status).toBe(404);
    expect((await server.authorized(`Bearer ${await sign(rsa, { aud: ['other', audience] })}`)).status).toBe(404);
  });

  it('are refused when meant for others, expired, or signed with an unknown key', async () => {
    const stranger = await makeKey('RS256', 'rsa');
    const tokens = [
      await sign(rsa, { iss: 'https://evil.example/' }),
      await sign(rsa, { iss: undefined }),
      await sign(rsa, { aud: 'other' }),
      await sign(rsa, { aud: undefined }),
      await sign(rsa, { exp: inSeconds(-60) }),
      await sign(rsa, { exp: undefined }),
      await sign(rsa, { tenant_id: undefined }),
      await sign(stranger),
      await sign({ ...stranger, id: 'unknown' }),
      await sign({ ...elliptic, id: 'rsa' }),
    ];
    for (const token of tokens) expectRefusal(await server.authorized(`Bearer ${token}`));
  });

  it('cannot be made with the public key as a secret', async () => {
    const claims = { iss: issuer, aud: audience };
    const secrets = [await exportSPKI(rsa.publicKey), JSON.stringify(await exportJWK(rsa.publicKey)), ''];
    for (const secret of secrets) {
      for (const alg of ['HS256', 'RS256']) {
        expectRefusal(await server.authorized(`Bearer ${forge(claims, { alg, kid: 'rsa' }, secret)}`));
      }
    }
  });

  it('are the only ones: no secret is made, and HS256 is refused', async () => {
    expect(server.secret).toBeUndefined();
    expectRefusal(await server.authorized(`Bearer ${forge({ iss: issuer, aud: audience })}`));
  });

  it.each(['down', 'failing', 'not json', 'not a key set'] as const)(
    'cannot be checked while the key set is %s: 503, and well again after',
    async (state) => {
      wait(11);
      const token = await sign(rsa);
      keySet.state = state;
      const answer = await server.authorized(`Bearer ${token}`);
      expect(answer.body.error.code).toBe('UNAVAILABLE');
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|fetch|JSON Web/);
      expect((await send(server.url, { path: '/health', token })).status).toBe(200);
      keySet.state = 'ok';
      expect((await server.authorized(`Bearer ${token}`)).status).toBe(404);
    },
  );

  it('may be signed with a new key as soon as the provider publishes it', async () => {
    wait(1);
    const fresh = await makeKey('ES256', 'fresh');
    const token = await sign(fresh);
    expectRefusal(await server.authorized(`Bearer ${token}`));
    wait(1);
    keySet.keys = [fresh, rsa];
    expect((await server.authorized(`Bearer ${token}`)).status).toBe(404);
    expectRefusal(await server.authorized(`Bearer ${await sign(elliptic)}`));
  });
});
