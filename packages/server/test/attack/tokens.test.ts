import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { attackedRoutes, requestTo } from '../support/attack-requests.js';
import { encodePart, forgeSecret, forgeToken, inSeconds } from '../support/forge-token.js';
import { audience, issuer, KeySetServer, makeKey, type SigningKey, sign } from '../support/key-set-server.js';
import { type LoggedServer, startLoggedServer } from '../support/logged-server.js';
import { send } from '../support/server.js';

/** Routes that need a token. */
const guarded = attackedRoutes.filter(
  ({ listener, route }) => listener === 'main' && !['open', 'local', 'key'].includes(route.access),
);
/** A call that a valid token may make. */
const allowed = guarded.filter(({ route }) => route.operation === 'working.get');

const names = { tenant_id: 't1', user_id: 'u1' };

/** Signs a payload that is given as text, such as one that names a claim twice. */
function signText(payload: string, header: object = { alg: 'HS256' }, secret = forgeSecret): string {
  const text = `${encodePart(header)}.${Buffer.from(payload).toString('base64url')}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

async function expectAllRefused(server: LoggedServer, tokens: Record<string, string>): Promise<number> {
  let tried = 0;
  const accepted: unknown[] = [];
  for (const [name, token] of Object.entries(tokens)) {
    for (const attacked of isFull ? guarded : allowed) {
      const { form: _, ...call } = requestTo(attacked, names);
      const { status, body } = await send(server.url, { ...call, token });
      tried += 1;
      const isTooLong = status === 431;
      if (status !== 401 && !isTooLong) accepted.push({ name, operation: attacked.route.operation, status, body });
    }
  }
  expect(accepted).toEqual([]);
  return tried;
}

describe('tokens that must not be accepted', () => {
  let server: LoggedServer;
  beforeAll(async () => {
    server = await startLoggedServer({ usersWithoutToken: 'false' });
  });
  afterAll(() => server.close());

  it('with a secret', { timeout: timeoutMs }, async (context) => {
    const [call] = allowed;
    if (call === undefined) throw new Error('working.get is no longer there');
    expect((await send(server.url, { ...requestTo(call, names), token: forgeToken() })).status).toBe(404);
    const valid = forgeToken();
    const [head = '', payload = '', signature = ''] = valid.split('.');
    const claims = `"exp":${inSeconds(600)},"tenant_id":"t1","user_id":"u1"`;
    const tried = await expectAllRefused(server, {
      'alg none': `${encodePart({ alg: 'none' })}.${payload}.`,
      'alg None': `${encodePart({ alg: 'None' })}.${payload}.${signature}`,
      'alg empty': forgeToken({}, { alg: '' }),
      'alg as a list': forgeToken({}, { alg: ['HS256'] }),
      'alg HS384': forgeToken({}, { alg: 'HS384' }),
      'alg RS256': forgeToken({}, { alg: 'RS256' }),
      'alg dir': forgeToken({}, { alg: 'dir', enc: 'A128GCM' }),
      'two algs': signText(`{${claims}}`, JSON.parse('{"alg":"none"}')),
      'kid as a path': forgeToken({}, { kid: '../../../../dev/null' }, ''),
      'kid as SQL': forgeToken({}, { kid: "x' UNION SELECT 'secret" }, 'secret'),
      'kid as a URL': forgeToken({}, { kid: 'http://127.0.0.1:1/key' }, 'another'),
      'a key in the header': forgeToken({}, { jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'secret'),
      'a key set in the header': forgeToken({}, { jku: 'http://127.0.0.1:1/keys' }, 'secret'),
      'a certificate in the header': forgeToken({}, { x5u: 'http://127.0.0.1:1/cert', x5c: ['AA=='] }, 'secret'),
      'a critical header': forgeToken({}, { crit: ['exp'] }),
      'an unencoded payload': forgeToken({}, { b64: false, crit: ['b64'] }),
      'no signature': `${head}.${payload}.`,
      'a short signature': `${head}.${payload}.${signature.slice(0, 10)}`,
      'a signature of zeros': `${head}.${payload}.${Buffer.alloc(32).toString('base64url')}`,
      'another secret': forgeToken({}, {}, 'another secret of at least 32 bytes'),
      'the secret in upper case': forgeToken({}, {}, forgeSecret.toUpperCase()),
      'an empty secret': forgeToken({}, {}, ''),
      expired: forgeToken({ exp: inSeconds(-3600) }),
      'expired in milliseconds': forgeToken({ exp: -1 }),
      'no expiry': forgeToken({ exp: undefined }),
      'an expiry as text': forgeToken({ exp: String(inSeconds(600)) }),
      'not valid yet': forgeToken({ nbf: inSeconds(3600) }),
      'no tenant': forgeToken({ tenant_id: undefined }),
      'an empty tenant': forgeToken({ tenant_id: '' }),
      'a tenant with a NUL': forgeToken({ tenant_id: 't1\u0000' }),
      'a list of tenants': forgeToken({ tenant_id: ['t1', 't2'] }),
      'an object as the tenant': forgeToken({ tenant_id: { $ne: null } }),
      'a pattern as the tenant': forgeToken({ tenant_id: '%' }),
      'an empty user': forgeToken({ user_id: '' }),
      'a space as the user': forgeToken({ user_id: ' ' }),
      'roles as text': forgeToken({ roles: 'admin' }),
      'claims that are no object': signText('[]'),
      'claims that are not JSON': signText('{'),
      'a tenant named twice, the second empty': signText(`{${claims},"tenant_id":""}`),
      'a prototype': signText(`{"exp":${inSeconds(600)},"__proto__":{"tenant_id":"t1","user_id":"u1"}}`),
      'ten kilobytes': forgeToken({ user_id: 'u'.repeat(10_000) }),
      'a hundred kilobytes': forgeToken({ filler: 'x'.repeat(100_000) }),
      'five parts': `${valid}.${signature}.${signature}`,
      'a line break': `${valid}%0d%0a`,
      base64: `${head}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}=`,
    });
    report(context, 'tokens', { tried, accepted: 0 });
  });

  it('with a key set', { timeout: timeoutMs }, async (context) => {
    const keySet = new KeySetServer();
    const rsa = await makeKey('RS256', 'rsa');
    keySet.keys = [rsa];
    await keySet.start();
    const provider = await startLoggedServer({ jwksUrl: keySet.url, jwtIssuer: issuer, jwtAudience: audience });
    const publicKey = await exportSPKI(rsa.publicKey);
    const stranger = await makeKey('RS256', 'rsa');
    const own = { ...stranger, id: 'stranger' } satisfies SigningKey;
    const meant = { iss: issuer, aud: audience };
    const tried = await expectAllRefused(provider, {
      'the public key as a secret': forgeToken(meant, { kid: 'rsa' }, publicKey),
      'the public key as a secret, with RS256': forgeToken(meant, { alg: 'RS256', kid: 'rsa' }, publicKey),
      'the key set as a secret': forgeToken(meant, {}, JSON.stringify(await exportJWK(rsa.publicKey))),
      'a secret of ours': forgeToken(meant),
      "a stranger's key under a known name": await sign(stranger),
      "a stranger's key under its own name": await sign(own),
      'another issuer': await sign(rsa, { iss: 'https://evil.example/' }),
      'an issuer that begins alike': await sign(rsa, { iss: `${issuer}.evil.example/` }),
      'no issuer': await sign(rsa, { iss: undefined }),
      'another audience': await sign(rsa, { aud: 'other' }),
      'no audience': await sign(rsa, { aud: undefined }),
      'an empty list of audiences': await sign(rsa, { aud: [] }),
      expired: await sign(rsa, { exp: inSeconds(-3600) }),
      'no expiry': await sign(rsa, { exp: undefined }),
      'no tenant': await sign(rsa, { tenant_id: undefined }),
    });
    const [call] = allowed;
    if (call === undefined) throw new Error('working.get is no longer there');
    expect((await send(provider.url, { ...requestTo(call, names), token: await sign(rsa) })).status).toBe(404);
    await provider.close();
    keySet.stop();
    report(context, 'tokens', { tried, accepted: 0 });
  });
});
