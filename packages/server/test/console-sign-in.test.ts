import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from './support/authorization-server.js';
import { cheapestKind, createTestDatabase, describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { keepLog } from './support/keep-log.js';
import { type Answer, send, startTestServer, type TestServer } from './support/server.js';

const audience = 'https://memory.example/api';

describeOneDatabase('signing in to the console at an issuer', (database) => {
  const { logger, log } = keepLog();
  let idp: AuthorizationServer;
  let server: TestServer;
  let settings: Record<string, string>;
  beforeAll(async () => {
    idp = await startAuthorizationServer(() => 'acme');
    settings = {
      ...{ jwksUrl: `${idp.issuer}/jwks`, jwtIssuer: idp.issuer, jwtAudience: audience },
      ...{
        consoleClientId: 'console',
        consoleResource: audience,
        jwtSecret: 'a secret of at least 32 bytes, for tests',
      },
    };
    server = await startTestServer(database(), settings, logger);
  });
  afterAll(async () => {
    await server.close();
    await idp.close();
  });
  const post = (half: 'start' | 'finish', headers: Record<string, string> = {}, body?: unknown, to = server) =>
    send(to.url, {
      ...{ method: 'POST', path: `/v1/console/session:${half}`, body },
      headers: { origin: to.url, ...headers },
    });
  const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';

  async function begin(user = 'ann') {
    const started = await post('start');
    expect(started.status).toBe(200);
    const landed = await idp.authorize(new URL(started.body.url), user);
    return { started, landed, cookie: cookieOf(started) };
  }

  it('uses a code with PKCE, and ends in the session of the token that the issuer gave', async () => {
    const methods = await send(server.url, { path: '/v1/console/sign-in' });
    expect(methods.body).toEqual({ issuer: idp.issuer });
    const { started, landed, cookie } = await begin();
    const asked = new URL(started.body.url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('redirect_uri')).toBe(`${server.url}/console/signed-in`);
    expect(started.headers.get('set-cookie')).toMatch(
      /^memhall_sign_in=[^;]+; Path=\/v1\/console\/session:finish; Max-Age=600; HttpOnly; SameSite=Strict$/,
    );
    expect(landed.origin + landed.pathname).toBe(`${server.url}/console/signed-in`);
    const finished = await post('finish', { cookie }, { query: landed.search.slice(1) });
    expect(finished.body).toMatchObject({ tenant_id: 'acme', user_id: 'ann', roles: ['admin'] });
    expect(cookieOf(finished)).toMatch(/^memhall_console=ey/);
    const own = await server.call({ path: '/v1/memories', token: finished.body.token });
    expect(own.status).toBe(200);
    const again = await post('finish', { cookie }, { query: landed.search.slice(1) });
    expectProblem(again, 'UNAUTHENTICATED');
    for (const secret of [finished.body.token, landed.searchParams.get('code') ?? '', cookie]) {
      expect(log()).not.toContain(secret);
    }
  });

  it('is finished only by the browser that began it, from a page of this server', async () => {
    const { landed, cookie } = await begin();
    const query = landed.search.slice(1);
    expectProblem(await post('finish', {}, { query }), 'UNAUTHENTICATED');
    const other = await begin('eve');
    expectProblem(await post('finish', { cookie: other.cookie }, { query }), 'UNAUTHENTICATED');
    expectProblem(await post('finish', { cookie: 'memhall_sign_in=a.b' }, { query }), 'UNAUTHENTICATED');
    for (const origin of ['https://evil.example', 'null']) {
      expectProblem(await post('start', { origin }), 'FORBIDDEN');
      expectProblem(await post('finish', { origin, cookie }, { query }), 'FORBIDDEN');
    }
    expect((await post('finish', { cookie }, { query: 'x'.repeat(9000) })).status).toBe(400);
    expect((await post('finish', { cookie }, { query })).status).toBe(200);
  });

  it('says what the issuer said', async () => {
    const { cookie, started } = await begin();
    const state = new URL(started.body.url).searchParams.get('state');
    const query = `error=access_denied&state=${state}&iss=${encodeURIComponent(idp.issuer)}`;
    const refused = await post('finish', { cookie }, { query });
    expectProblem(refused, 'UNAUTHENTICATED');
    expect(refused.body.error.message).toContain('did not sign you in: access_denied');
    const hostile = await post(
      'finish',
      { cookie },
      { query: `error=${encodeURIComponent('<b>x</b>')}&state=${state}` },
    );
    expectProblem(hostile, 'UNAUTHENTICATED');
    expect(JSON.stringify(hostile.body)).not.toContain('<b>');
  });

  it('is refused if the token is for another audience, or the issuer is down, or none is configured', async () => {
    const others = [
      [{ ...settings, jwtAudience: 'https://other.example' }, 'UNAUTHENTICATED'],
      [{ ...settings, jwtIssuer: 'http://127.0.0.1:1' }, 'UNAVAILABLE'],
      [{}, 'NOT_FOUND'],
    ] as const;
    for (const [changed, code] of others) {
      const apart = await createTestDatabase(cheapestKind);
      const other = await startTestServer(apart, changed);
      try {
        const started = await post('start', { origin: other.url }, undefined, other);
        if (code === 'UNAUTHENTICATED') {
          const landed = await idp.authorize(new URL(started.body.url), 'ann');
          const headers = { origin: other.url, cookie: cookieOf(started) };
          const finished = await post('finish', headers, { query: landed.search.slice(1) }, other);
          expectProblem(finished, code);
          expect(finished.body.error.message).toContain('does not accept its token');
        } else expectProblem(started, code);
      } finally {
        await other.close();
        await apart.remove();
      }
    }
  });
});
