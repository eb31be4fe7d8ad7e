import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Answer, send, useServer } from './support/server.js';

const session = '/v1/console/session';
const assets = readdirSync(fileURLToPath(new URL('../dist/console/assets', import.meta.url)));

describeOneDatabase('the console', (database) => {
  const server = useServer(database);
  const own = () => ({ origin: server().url });
  const signIn = (body: unknown, headers: Record<string, string> = own()) =>
    send(server().url, { method: 'POST', path: session, body, headers });
  const resume = (cookie: string, headers = own()) =>
    send(server().url, { method: 'POST', path: `${session}:resume`, headers: { ...headers, cookie } });
  const cookieOf = ({ headers }: Answer) => headers.get('set-cookie') ?? '';

  describe('as a session', () => {
    it('begins with a code, once, and has the rights of its token', async () => {
      const token = await server().token({ roles: ['service'] });
      const link = new URL(server().signInLink(token));
      expect(link.origin).toBe(server().url);
      expect(link.search).toBe('');
      const code = new URLSearchParams(link.hash.slice(1)).get('code');
      const signedIn = await signIn({ code });
      expect(signedIn.status).toBe(200);
      expect(signedIn.body).toMatchObject({
        token,
        tenant_id: 't1',
        user_id: 'u1',
        service_id: null,
        roles: ['service'],
      });
      expect(Date.parse(signedIn.body.expires_at)).toBeGreaterThan(Date.now());
      const again = await signIn({ code });
      expect(again.status).toBe(401);
      expect(again.body.error).toMatchObject({
        code: 'UNAUTHENTICATED',
        message: expect.stringContaining('used before'),
      });
    });

    it('begins with a token, comes back with a cookie that only its own path gets, and ends', async () => {
      const token = await server().token();
      const signedIn = await signIn({ token });
      const cookie = cookieOf(signedIn);
      expect(cookie).toMatch(/^memhall_console=[^;]+; Path=\/v1\/console; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
      const pair = cookie.split(';')[0] ?? '';
      expect((await resume(`theme=dark; ${pair}`)).body).toMatchObject({ token, user_id: 'u1' });
      expect((await server().call({ path: '/v1/memories', token: '', headers: { cookie: pair } })).status).toBe(401);
      const ended = await send(server().url, { method: 'DELETE', path: session, headers: own() });
      expect(ended.status).toBe(204);
      expect(cookieOf(ended)).toMatch(/^memhall_console=; Path=\/v1\/console; Max-Age=0;/);
      expect((await resume('')).status).toBe(401);
    });

    it('is secure if the page was loaded over HTTPS', async () => {
      const host = new URL(server().url).host;
      expect(cookieOf(await signIn({ token: await server().token() }, { origin: `https://${host}` }))).toMatch(
        /; Secure$/,
      );
    });

    it('is for pages of the server only', async () => {
      const token = await server().token();
      const pair = cookieOf(await signIn({ token })).split(';')[0] ?? '';
      for (const headers of [
        {},
        { origin: 'null' },
        { origin: 'http://127.0.0.1:1' },
        { origin: 'https://evil.example' },
      ]) {
        for (const answer of [
          await signIn({ token }, headers as Record<string, string>),
          await send(server().url, {
            method: 'POST',
            path: `${session}:resume`,
            headers: { ...headers, cookie: pair },
          }),
          await send(server().url, { method: 'DELETE', path: session, headers: headers as Record<string, string> }),
        ]) {
          expect(answer.status).toBe(403);
          expect(cookieOf(answer)).toBe('');
          expect(JSON.stringify(answer.body)).not.toContain(token);
        }
      }
    });

    it('rejects tokens that are not valid, that were revoked, and bodies of another shape', async () => {
      expect((await signIn({ token: 'nonsense' })).status).toBe(401);
      expect((await signIn({ token: await server().token({ ttlSeconds: -60 }) })).status).toBe(401);
      expect((await signIn({ code: 'never-issued' })).status).toBe(401);
      expect((await signIn({})).status).toBe(400);
      expect((await signIn({ token: 'a', code: 'b' })).status).toBe(400);
      const token = await server().token({ user: 'leaver' });
      const pair = cookieOf(await signIn({ token })).split(';')[0] ?? '';
      const admin = await server().token({ roles: ['admin'] });
      const path = '/v1/tenants/t1/token-revocations';
      await server().call({ method: 'POST', path, body: { user_id: 'leaver' }, token: admin });
      expect((await resume(pair)).status).toBe(401);
    });
  });

  describe('as files', () => {
    const get = (path: string, headers: Record<string, string> = {}) => send(server().url, { path, headers });

    it('answers every path of its own with the first page, which may load nothing from elsewhere', async () => {
      const first = await get('/console');
      expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = first.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(first.headers.get('cache-control')).toBe('no-cache');
      for (const path of [
        '/console/',
        '/console/memories/some-id',
        '/console/recall?q=tea',
        '/console/..%2f..%2fpackage.json',
      ]) {
        expect((await get(path)).body).toBe(first.body);
      }
      expect(first.body).not.toMatch(/(src|href)="(https?:)?\/\//);
    });

    it('lets browsers keep what has a hash in its name, and says when nothing changed', async () => {
      const name = assets.find((one) => one.endsWith('.js')) ?? '';
      const file = await get(`/console/assets/${name}`);
      expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = file.headers.get('etag') ?? '';
      const unchanged = await get(`/console/assets/${name}`, { 'if-none-match': etag });
      expect(unchanged.status).toBe(304);
      expect(file.headers.get('content-encoding')).toBe('gzip');
      const plain = await get(`/console/assets/${name}`, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.body).toBe(file.body);
      expect((await get('/console/assets/missing.js')).status).toBe(404);
    });
  });
});
