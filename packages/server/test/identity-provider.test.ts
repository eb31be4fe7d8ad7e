import { exportJWK, exportSPKI } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from './support/expect-refusal.js';
import { forgeToken, inSeconds } from './support/forge-token.js';
import { audience, issuer, KeySetServer, makeKey, type SigningKey, sign } from './support/key-set-server.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { send } from './support/server.js';

const path = '/v1/memory/working/p/k';

describe('tokens from an identity provider', () => {
  const keySet = new KeySetServer();
  let server: LoggedServer;
  let rsa: SigningKey;
  let elliptic: SigningKey;
  beforeAll(async () => {
    [rsa, elliptic] = await Promise.all([makeKey('RS256', 'rsa'), makeKey('ES256', 'ec')]);
    keySet.keys = [rsa, elliptic];
    await keySet.start();
    server = await startLoggedServer({ jwksUrl: keySet.url, jwtIssuer: issuer, jwtAudience: audience });
  });
  afterEach(() => {
    keySet.state = 'ok';
  });
  afterAll(async () => {
    vi.useRealTimers();
    await server.close();
    keySet.stop();
  });

  const call = (token: string) => send(server.url, { path, token });

  /** Moves the clock. The key set can be fetched again after half a minute and must be after ten minutes. */
  const wait = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

  it('are accepted with RS256 and ES256', async () => {
    for (const key of [rsa, elliptic]) expect((await call(await sign(key))).status).toBe(404);
    expect((await call(await sign(rsa, { aud: ['other', audience] }))).status).toBe(404);
  });

  it('are rejected if meant for others, expired or signed with an unknown key', async () => {
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
    for (const token of tokens) expectRefusal(await call(token));
  });

  it('cannot be forged with the public key as a secret', async () => {
    const claims = { iss: issuer, aud: audience };
    const secrets = [await exportSPKI(rsa.publicKey), JSON.stringify(await exportJWK(rsa.publicKey)), ''];
    for (const secret of secrets) {
      for (const alg of ['HS256', 'RS256']) {
        expectRefusal(await call(forgeToken(claims, { alg, kid: 'rsa' }, secret)));
      }
    }
  });

  it('are the only accepted tokens: HS256 is rejected', async () => {
    expectRefusal(await call(forgeToken({ iss: issuer, aud: audience })));
  });

  it.each(['down', 'failing', 'not json', 'not a key set'] as const)(
    'get a 503 while the key set is %s, and are accepted again afterwards',
    async (state) => {
      wait(11);
      const token = await sign(rsa);
      keySet.state = state;
      const answer = await call(token);
      expect(answer.body.error.code).toBe('UNAVAILABLE');
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|fetch|JSON Web/);
      expect((await send(server.url, { path: '/health', token })).status).toBe(200);
      keySet.state = 'ok';
      expect((await call(token)).status).toBe(404);
    },
  );

  it('can be signed with a new key as soon as the provider publishes it', async () => {
    wait(1);
    const fresh = await makeKey('ES256', 'fresh');
    const token = await sign(fresh);
    expectRefusal(await call(token));
    wait(1);
    keySet.keys = [fresh, rsa];
    expect((await call(token)).status).toBe(404);
    expectRefusal(await call(await sign(elliptic)));
  });
});

describe('tokens whose claims have other names', () => {
  const keySet = new KeySetServer();
  let server: LoggedServer;
  let key: SigningKey;
  beforeAll(async () => {
    key = await makeKey('RS256', 'rsa');
    keySet.keys = [key];
    await keySet.start();
    const provider = { jwksUrl: keySet.url, jwtIssuer: issuer, jwtAudience: audience };
    server = await startLoggedServer({
      ...provider,
      jwtSecret: 's'.repeat(32),
      jwtClaims: 'tenant_id=tid,user_id=oid',
    });
  });
  afterAll(async () => {
    await server.close();
    keySet.stop();
  });

  it('speak for the tenant and user under those names only', async () => {
    const put = (token: string) => send(server.url, { method: 'PUT', path, token, body: { value: 1 } });
    const get = (token: string) => send(server.url, { path, token });
    expect((await put(await sign(key, { tid: 'contoso', oid: 'ann' }))).status).toBe(200);
    expect((await get(await sign(key, { tid: 'contoso', oid: 'ann', tenant_id: 'x', user_id: 'y' }))).status).toBe(200);
    expect((await get(await sign(key, { tid: 'contoso', oid: 'bob', user_id: 'ann' }))).status).toBe(404);
    expectRefusal(await get(await sign(key, { tenant_id: 'contoso', user_id: 'ann' })));
    const own = forgeToken({ tenant_id: 'contoso', user_id: 'ann' }, { alg: 'HS256' }, 's'.repeat(32));
    expect((await get(own)).status).toBe(200);
  });
});
