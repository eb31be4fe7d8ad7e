import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './support/expect-problem.js';
import { forgeToken } from './support/forge-token.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { RawConnection, sendRaw } from './support/raw-http.js';
import { send } from './support/server.js';

const path = '/v1/memory/working/p/k';
const token = forgeToken();
const bearer = `Authorization: Bearer ${token}`;

describe('hostile requests', () => {
  let server: LoggedServer;
  beforeAll(async () => {
    server = await startLoggedServer();
  });
  afterAll(async () => {
    expect((await send(server.url, { path: '/health' })).body.status).toBe('ok');
    expect((await send(server.url, { method: 'PUT', path, body: { value: 'well' }, token })).status).toBe(200);
    expect((await send(server.url, { path, token })).body.value).toBe('well');
    expect(server.logLines().filter(({ level }) => level >= 50)).toEqual([]);
    await server.close();
  });

  const raw = (...lines: string[]) => sendRaw(server.url, `${lines.join('\r\n')}\r\n\r\n`);
  const get = (target: string, ...headers: string[]) => raw(`GET ${target} HTTP/1.1`, 'Host: x', bearer, ...headers);

  describe('URLs', () => {
    it.each([
      '/%',
      '/%zz',
      '/%E0%A4%A',
      '/v1/memory/working/%ff/k',
      '/v1/memory/working/p/%',
      '/v1/memory/working/%C0%80/k',
    ])('are rejected with invalid percent-encoding: %s', async (target) =>
      expectProblem(await get(target), 'INVALID_REQUEST'),
    );

    it.each(['/v1/memory/working/p%00/k', '/v1/memory/working/p/k?user_id=%00', '/nowhere?a=%00'])(
      'are rejected with a NUL: %s',
      async (target) => expectProblem(await get(target), 'INVALID_REQUEST'),
    );

    it.each([
      '/',
      '//',
      '/v1',
      '/v1/memory/working',
      '/v1/memory/working/p/k/more',
      '/v1/memory/working/p/../../../etc/passwd',
      '/../../etc/passwd',
      '/health/',
      '/HEALTH',
      '*',
      '/constructor',
      '/__proto__',
      `/${'a/'.repeat(5000)}`,
    ])('return 404 if they match no route: %s', async (target) => expectProblem(await get(target), 'NOT_FOUND'));

    it.each(['.', '..', '%2e%2e', '%2E.'])('can contain %s as a plain name', async (name) => {
      expectProblem(await get(`/v1/memory/working/p/${name}`), 'NOT_FOUND');
      expect((await get(`/v1/memory/working/${name}`))?.body).toMatchObject({ plan_id: decodeURIComponent(name) });
    });

    it('are rejected if a segment is too long', async () => {
      for (const length of [129, 1024, 1025, 12_000]) {
        expectProblem(await get(`/v1/memory/working/p/${'x'.repeat(length)}`), 'INVALID_REQUEST');
      }
      expectProblem(await get(`/v1/memory/working/p/${'x'.repeat(100_000)}`), 'INVALID_REQUEST', 431);
    });

    it('can be absolute', async () => {
      expect((await get('http://elsewhere.example/health'))?.status).toBe(200);
      expectProblem(await get(`http://elsewhere.example${path}x`), 'NOT_FOUND');
    });

    it.each([
      '?x=1',
      '?user_id=u1&x=1',
      '?__proto__=1',
      '?constructor=1',
      '?user_id[]=u1',
      '?=',
      '?user_id=u1&user_id=u1',
    ])('are rejected with unknown or repeated query parameters: %s', async (query) =>
      expect((await get(`${path}${query}`))?.status).toBe(400),
    );

    it('accept query parameters only where the route defines them', async () => {
      const put = { method: 'PUT', path: `${path}?user_id=u1`, body: { value: 1 }, token };
      expectProblem(await send(server.url, put), 'UNKNOWN_FIELD');
      expect((await get('/health?cache=no'))?.status).toBe(200);
    });

    it('are rejected at once with thousands of parameters', async () => {
      const many = Array.from({ length: 3000 }, (_, index) => `a${index}`).join('&');
      expectProblem(await get(`${path}?${many.slice(0, 15_000)}`), 'UNKNOWN_FIELD');
    });
  });

  describe('methods', () => {
    it.each([
      ['PUT', '/health', 'GET, HEAD'],
      ['OPTIONS', '/health', 'GET, HEAD'],
      ['TRACE', '/metrics', 'GET, HEAD'],
      ['POST', path, 'PUT, GET, HEAD, DELETE'],
      ['PATCH', path, 'PUT, GET, HEAD, DELETE'],
      ['PUT', '/v1/memory/working/p', 'GET, HEAD, DELETE'],
    ])('%s %s returns 405 with the allowed methods', async (method, target, allow) => {
      const answer = await raw(`${method} ${target} HTTP/1.1`, 'Host: x');
      expectProblem(answer, 'METHOD_NOT_ALLOWED');
      expect(answer?.headers.allow).toBe(allow);
    });

    it('include HEAD, which responds like GET without a body', async () => {
      const answer = await fetch(`${server.url}/health`, { method: 'HEAD' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    });

    it.each(['PROPFIND', 'M-SEARCH', 'QUERY'])('do not include %s', async (method) => {
      expect((await raw(`${method} /health HTTP/1.1`, 'Host: x'))?.status).toBeOneOf([400, 404, 405]);
    });

    it.each(['get', 'FOO', 'GET\u0000'])('made up by a client are rejected: %j', async (method) =>
      expectProblem(await raw(`${method} /health HTTP/1.1`, 'Host: x'), 'INVALID_REQUEST'),
    );

    it('do not include CONNECT, because the server is not a proxy', async () => {
      const connection = await RawConnection.open(server.url);
      await connection.send('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
      await connection.closed();
    });
  });

  describe('headers', () => {
    it('are rejected if larger than 16 KiB, in one or in many', async () => {
      expectProblem(await get('/health', `X-Big: ${'x'.repeat(20_000)}`), 'INVALID_REQUEST', 431);
      const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: 1`);
      expectProblem(await get('/health', ...many), 'INVALID_REQUEST', 431);
    });

    it('are all read, so a proxy header after thousands of others still counts', async () => {
      const answer = await raw(
        'GET /metrics HTTP/1.1',
        'Host: x',
        ...Array(2500).fill('a:'),
        'X-Forwarded-For: 192.0.2.1',
      );
      expectProblem(answer, 'UNAUTHENTICATED');
    });

    it.each([
      ['a space before the colon', 'X-A : 1'],
      ['a line without a colon', 'nonsense'],
      ['a NUL', 'X-A: a\u0000b'],
      ['a bare carriage return', 'X-A: a\rX-B: b'],
      ['a folded line', 'X-A: a\r\n b'],
    ])('are rejected with %s', async (_name, line) => expectProblem(await get('/health', line), 'INVALID_REQUEST'));

    it('must include Host in HTTP/1.1', async () => {
      expectProblem(await raw('GET /health HTTP/1.1'), 'INVALID_REQUEST');
      expect((await raw('GET /health HTTP/1.0'))?.status).toBe(200);
    });

    it('authenticate by the first of two Authorization values only', async () => {
      expectProblem(
        await raw(`GET ${path}x HTTP/1.1`, 'Host: x', 'Authorization: Bearer nonsense', bearer),
        'UNAUTHENTICATED',
      );
    });

    it('set the request id only if it is well-formed', async () => {
      const idOf = async (...lines: string[]) => (await get('/health', ...lines))?.headers['x-request-id'];
      for (const sane of ['a', 'A-1.b_c:d', 'x'.repeat(128)]) expect(await idOf(`X-Request-Id: ${sane}`)).toBe(sane);
      const mad = ['', 'a b', 'x'.repeat(129), 'a,b', 'é', '\u00ff', '<script>', 'a"b', '%0d%0aX-Evil:1'];
      for (const value of mad) expect(await idOf(`X-Request-Id: ${value}`), value).toMatch(/^[0-9a-f-]{36}$/);
      expect(await idOf('X-Request-Id: a', 'X-Request-Id: b')).toMatch(/^[0-9a-f-]{36}$/);
      expect(await idOf()).not.toBe(await idOf());
    });

    it('cannot be injected into a response', async () => {
      const answer = await get(`${path}x%0d%0aX-Evil:%201`, 'X-Request-Id: a%0d%0aX-Evil: 1');
      expect(answer?.headers).not.toHaveProperty('x-evil');
    });
  });

  describe('connections', () => {
    it.each(['\r\n\r\n\r\nnonsense\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001', 'GET /health HTTP/9.9\r\n\r\n'])(
      'that do not speak HTTP get an error and are closed: %j',
      async (bytes) => {
        const connection = await RawConnection.open(server.url);
        await connection.send(bytes);
        expectProblem(await connection.answer(), 'INVALID_REQUEST');
        await connection.closed();
      },
    );

    it('receive the responses to pipelined requests in order, and then the error for garbage', async () => {
      const connection = await RawConnection.open(server.url);
      const put = (key: string) =>
        `PUT /v1/memory/working/pipeline/${key} HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"value":1}`;
      await connection.send(`${put('a')}${put('b')}NONSENSE\r\n\r\n`);
      expect((await connection.answer())?.body).toMatchObject({ key: 'a' });
      expect((await connection.answer())?.body).toMatchObject({ key: 'b' });
      expectProblem(await connection.answer(), 'INVALID_REQUEST');
      await connection.closed();
    });

    it('can break off anywhere without harm', async () => {
      const request = `PUT ${path} HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"value":1}`;
      for (let length = 1; length <= request.length; length += 16) {
        const connection = await RawConnection.open(server.url);
        await connection.send(request.slice(0, length));
        connection.destroy();
      }
      expect((await send(server.url, { path: '/health' })).status).toBe(200);
    });
  });
});
