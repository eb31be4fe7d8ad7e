import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './support/expect-problem.js';
import { forgeToken } from './support/forge-token.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { RawConnection } from './support/raw-http.js';
import { type Answer, send } from './support/server.js';

const path = '/v1/memory/working/p/k';
const token = forgeToken();
const mebibyte = 1024 * 1024;

describe('a server that receives hostile bodies', () => {
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

  async function put(body: BodyInit | null, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
  }

  const head = (...lines: string[]) =>
    [`PUT ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, 'Content-Type: application/json', ...lines]
      .join('\r\n')
      .concat('\r\n\r\n');

  it.each([
    ['broken JSON', '{"value":'],
    ['white space', '   '],
    ['text after the value', '{"value":1} {"value":2}'],
    ['a comment', '{"value":1/**/}'],
    ['NaN', '{"value":NaN}'],
    ['nothing', null],
    ['null', 'null'],
    ['a number', '1'],
    ['text', '"value"'],
    ['a list', '[{"value":1}]'],
    ['100,000 lists in each other', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects in each other', `{"value":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['more than 100,000 objects and lists', `{"value":[${'{},'.repeat(50_000)}${'[],'.repeat(50_000)}1]}`],
    ['65 levels', `{"value":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['a raw NUL', '{"value":"a\u0000b"}'],
    ['an escaped NUL', '{"value":"a\\u0000b"}'],
    ['a NUL in a name', '{"value":{"a\\u0000":1}}'],
    ['half a surrogate pair', '{"value":"\\ud83d"}'],
    ['a surrogate pair the wrong way round', '{"value":"\\ude00\\ud83d"}'],
    ['half a surrogate pair in a name', '{"value":{"\\ud83d":1}}'],
    ['200,000 marks on a letter', `{"value":"a${'\u0301\u0316'.repeat(100_000)}"}`],
    ['__proto__', '{"value":1,"__proto__":{"admin":true}}'],
    ['an escaped __proto__ further down', '{"value":[{"\\u005f_proto__":{"admin":true}}]}'],
    ['constructor.prototype', '{"value":{"constructor":{"prototype":{"admin":true}}}}'],
    ['invalid UTF-8', new Uint8Array([...Buffer.from('{"value":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
    ['overlong UTF-8', new Uint8Array([...Buffer.from('{"value":"'), 0xc0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', new Uint8Array(Buffer.from('{"value":1}', 'utf16le'))],
  ])('rejects %s', async (_name, body) => {
    expectProblem(await put(body), 'INVALID_REQUEST');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('accepts values that only look hostile', async () => {
    const values = ['"constructor"', '{"constructor":1,"prototype":2}', '"__proto__"', '"\\ud83d\\ude00"', '1e308'];
    const long = [`"${'[{'.repeat(60_000)}"`, `[${'{},'.repeat(99_000)}1]`];
    for (const value of [...values, ...long, `${'['.repeat(62)}${']'.repeat(62)}`, `"${'\\\\'.repeat(1000)}"`]) {
      expect((await put(`{"value":${value}}`)).status, value).toBe(200);
    }
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json-seq',
    'json',
    '/',
    '',
  ])('rejects the media type "%s"', async (type) => {
    expectProblem(await put('{"value":1}', { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['application/json;charset=utf-8', 'APPLICATION/JSON', 'application/vnd.memhall+json'])(
    'accepts the media type "%s"',
    async (type) => {
      expect((await put('{"value":1}', { 'content-type': type })).status).toBe(200);
    },
  );

  it('rejects compressed bodies and explains why', async () => {
    const answer = await put(gzipSync('{"value":1}'), { 'content-encoding': 'gzip' });
    expectProblem(answer, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.body.error.message).toMatch(/Content-Encoding/);
  });

  it('accepts bodies of up to exactly 1 MiB', async () => {
    const body = (length: number) => `{"value":"${'x'.repeat(length - 12)}"}`;
    expect(body(mebibyte)).toHaveLength(mebibyte);
    expect((await put(body(mebibyte - 1))).status).toBe(200);
    expect((await put(body(mebibyte))).status).toBe(200);
    expectProblem(await put(body(mebibyte + 1)), 'PAYLOAD_TOO_LARGE');
    expectProblem(await put(new Blob([body(mebibyte + 1)]).stream()), 'PAYLOAD_TOO_LARGE');
  });

  it('does not parse what somebody without a token sends', async () => {
    const post = async (to: string, body: string) =>
      (
        await fetch(`${server.url}${to}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }).then((answer) => answer.json())
      ).error;
    const broken = '{'.repeat(65_000);
    expect(await post('/v1/no-such-path', broken)).toMatchObject({ code: 'NOT_FOUND' });
    for (const call of ['', ':start', ':finish', ':resume']) {
      expect(await post(`/v1/console/session${call}`, broken)).toMatchObject({ code: 'INVALID_REQUEST' });
      const error = { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('larger than 64 KiB') };
      expect(await post(`/v1/console/session${call}`, '{'.repeat(66_000))).toMatchObject(error);
    }
  });

  it('returns PAYLOAD_TOO_LARGE for 10 MB, with and without a Content-Length', async () => {
    const text = `{"value":"${'x'.repeat(10_000_000)}"}`;
    for (let round = 0; round < 5; round++) {
      expectProblem(await put(text), 'PAYLOAD_TOO_LARGE');
      expectProblem(await put(new Blob([text]).stream()), 'PAYLOAD_TOO_LARGE');
    }
  });

  it.each([
    ['Content-Length: 10000000', (bytes: Buffer) => bytes],
    ['Transfer-Encoding: chunked', (bytes: Buffer) => Buffer.from(`${bytes.length.toString(16)}\r\n${bytes}\r\n`)],
  ])('responds to a client that never stops sending (%s)', async (framing, frame) => {
    const connection = await RawConnection.open(server.url);
    await connection.send(head(framing));
    const piece = frame(Buffer.alloc(100_000, 'x'));
    const sending = (async () => {
      for (let sent = 0; sent < 90 && connection.open; sent++) await connection.send(piece);
    })();
    expectProblem(await connection.answer(), 'PAYLOAD_TOO_LARGE');
    await sending;
    connection.destroy();
  });

  it('rejects a body whose framing is invalid or contradictory', async () => {
    const cases = [
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: -1',
      'Content-Length: 1e3',
      'Content-Length: 99999999999999999999999999',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: chunked, identity',
    ];
    for (const lines of cases) {
      const connection = await RawConnection.open(server.url);
      await connection.send(`${head(lines)}{"value":1}`);
      expectProblem(await connection.answer(), 'INVALID_REQUEST');
      await connection.closed();
    }
    const chunked = await RawConnection.open(server.url);
    await chunked.send(`${head('Transfer-Encoding: chunked')}zz\r\n{"value":1}\r\n0\r\n\r\n`);
    expectProblem(await chunked.answer(), 'INVALID_REQUEST');
    await chunked.closed();
  });

  it('rejects a body with content where the route takes none', async () => {
    const service = forgeToken({ user_id: 'robot', roles: ['service'] });
    await send(server.url, { method: 'PUT', path: '/v1/memory/working/mine/k', body: { value: 1 }, token });
    const clear = (body: unknown) =>
      send(server.url, { method: 'DELETE', path: '/v1/memory/working/mine', body, token: service });
    expectProblem(await clear({ user_id: 'u1' }), 'UNKNOWN_FIELD');
    expectProblem(await clear([]), 'INVALID_REQUEST');
    expect((await clear({})).status).toBe(200);
    expect((await send(server.url, { path: '/v1/memory/working/mine', token })).body.count).toBe(1);
  });

  it('keeps the connection open after a body that it could read but not accept', async () => {
    const connection = await RawConnection.open(server.url);
    for (let round = 0; round < 3; round++) {
      await connection.send(`${head('Content-Length: 6')}broken`);
      expectProblem(await connection.answer(), 'INVALID_REQUEST');
    }
    connection.destroy();
  });
});
