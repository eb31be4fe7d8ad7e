import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { GatewayUser } from './support/gateway-user.js';
import { RawConnection } from './support/raw-http.js';
import { startTestServer, type TestServer } from './support/server.js';

const mebibyte = 1024 * 1024;
const wrongKey = `uk_${'A'.repeat(43)}`;

async function post(server: TestServer, path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describeOneDatabase('the gateway checks the key first', (database) => {
  let server: TestServer;
  let temporary: string;
  let me: GatewayUser;
  beforeAll(async () => {
    temporary = mkdtempSync(join(tmpdir(), 'memhall-keys-test-'));
    vi.stubEnv('TMPDIR', temporary);
    server = await startTestServer(database(), { quotaFailedKeysPerMinute: '0' });
    me = await GatewayUser.of(server);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.close();
    rmSync(temporary, { recursive: true });
  });

  const filler = '[1 2]'.repeat(100_000);
  const bodies: [string, (key: string) => string][] = [
    ['broken JSON after the key', (key) => `{${key},"messages":[`],
    ['no JSON after the key', (key) => `{${key}}}}`],
    ['no JSON before the key', (key) => `{"messages":[${filler}],${key}}`],
    ['a NUL after the key', (key) => `{${key},"session_id":"a\\u0000b"}`],
    ['a prototype after the key', (key) => `{${key},"__proto__":{}}`],
    ['an unknown field before the key', (key) => `{"colour":"red",${key}}`],
    ['nothing else', (key) => `{${key}}`],
    [
      '10,000 messages',
      (key) => `{"messages":[${Array.from({ length: 10_000 }, () => '{}').join()}],"session_id":"c",${key}}`,
    ],
  ];

  it.each(bodies)('and parses nothing if it is wrong: %s', async (_name, toBody) => {
    const refused = await post(server, '/memories/add', toBody(`"user_id":"${me.user}","user_key":"${wrongKey}"`));
    expect(refused.status).toBe(401);
    expect(refused.body.error.message).toBe('The user_id or the user_key is wrong.');
    const faulty = await post(server, '/memories/add', toBody(`"user_id":"${me.user}","user_key":"${me.key}"`));
    expect(faulty.status).toBe(422);
  });

  it('and accepts only the one it has checked', async () => {
    const other = await GatewayUser.of(server);
    for (const body of [
      `{"user_id":"${me.user}","user_key":"${me.key}","user_id":"${other.user}","query":"x"}`,
      `{"user_id":"${me.user}","user_key":"${me.key}","query":"x","user_\\u006bey":"${other.key}"}`,
      `{"user_id":"${me.user}","user_key":"${me.key}","query":"x","user_id":"${other.user}","user_key":"${other.key}"}`,
    ]) {
      const answer = await post(server, '/memories/search', body);
      expect([answer.status, answer.body.error.message]).toEqual([422, 'Send user_id and user_key only once.']);
    }
  });

  /** Bytes of a form up to the end of the last part, without the boundary that ends it. */
  const formOf = (...parts: [name: string, value: string | Buffer][]) =>
    Buffer.concat(
      parts.flatMap(([name, value], index) => [
        Buffer.from(`${index === 0 ? '' : '\r\n'}--x\r\nContent-Disposition: form-data; name="${name}"`),
        Buffer.from(`${name === 'file' ? '; filename="a"' : ''}\r\n\r\n`),
        Buffer.from(value as string),
      ]),
    );

  async function beginUpload(form: Buffer): Promise<RawConnection> {
    const connection = await RawConnection.open(server.url);
    const head = 'POST /resources HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x';
    await connection.send(`${head}\r\nContent-Length: 9999999\r\n\r\n`);
    await connection.send(form);
    return connection;
  }

  const large = Buffer.alloc(mebibyte + 1, 'walrus ');

  it.each<[string, number, () => Buffer]>([
    ['no key', 422, () => formOf(['file', large])],
    ['a key without its user', 422, () => formOf(['user_key', me.key], ['file', large])],
    ['a wrong key', 401, () => formOf(['user_id', me.user], ['user_key', wrongKey], ['file', 'walrus'])],
    ['the key of another user', 401, () => formOf(['user_id', 'other'], ['user_key', me.key], ['file', 'walrus'])],
  ])('and writes nothing to the disk while an upload has %s', async (_name, status, toForm) => {
    const before = statSync(temporary).mtimeMs;
    const connection = await beginUpload(toForm());
    expect((await connection.answer())?.status).toBe(status);
    connection.destroy();
    // Anything created in a directory changes its time, even if it was removed again.
    expect(statSync(temporary).mtimeMs).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('and stores a small file whose key follows, once the key is right', async () => {
    const before = statSync(temporary).mtimeMs;
    const send = (key: string, file: Buffer) =>
      fetch(`${server.url}/resources`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: Buffer.concat([
          formOf(['file', file], ['user_id', me.user], ['user_key', key]),
          Buffer.from('\r\n--x--'),
        ]),
      });
    expect((await send(wrongKey, Buffer.from('A walrus.'))).status).toBe(401);
    expect(statSync(temporary).mtimeMs).toBe(before);
    expect((await send(me.key, Buffer.from('A walrus.'))).status).toBe(200);
    const bulky = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(mebibyte - 9)]);
    expect((await send(me.key, bulky)).status).toBe(200);
    const refused = await send(me.key, large);
    expect([refused.status, (await refused.json()).error.message]).toEqual([
      422,
      'A file of more than 1 MiB must come after user_id and user_key. Send these fields first.',
    ]);
  });

  it('and, on every other surface, the token', async () => {
    const { paths } = await (await fetch(`${server.url}/openapi.json`)).json();
    const guarded = Object.entries<Record<string, { security?: object[] }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { security = [] }]) => ['post', 'put', 'patch'].includes(method) && security.length > 0)
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x') })),
    );
    expect(guarded.length).toBeGreaterThan(30);
    for (const { method, path } of guarded) {
      const headers = { 'content-type': 'application/json', via: '1.1 proxy' };
      const { status } = await fetch(`${server.url}${path}`, { method, headers, body: '{"broken' });
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });
});

describeOneDatabase('the gateway limits wrong keys', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(database(), { quotaFailedKeysPerMinute: '3', trustedProxies: '127.0.0.1' });
  });
  afterAll(() => server?.close());

  const search = (identity: object, address: string) =>
    post(server, '/memories/search', JSON.stringify({ ...identity, query: 'x' }), { 'x-forwarded-for': address });

  it('by the address they come from', async () => {
    const [known, fresh] = [await GatewayUser.of(server), await GatewayUser.of(server)];
    expect((await search(known.identity, '192.0.2.9')).status).toBe(200);
    const wrong = { user_id: known.user, user_key: wrongKey };
    for (let attempt = 0; attempt < 3; attempt++) expect((await search(wrong, '192.0.2.1')).status).toBe(401);
    for (const identity of [wrong, fresh.identity]) {
      const { status, headers, body } = await search(identity, '192.0.2.1');
      expect([status, body.error]).toMatchObject([
        429,
        { code: 'QUOTA_EXCEEDED', message: 'Too many wrong keys from this address. Wait, then try again.' },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await search(known.identity, '192.0.2.1')).status).toBe(200);
    expect((await search(wrong, '192.0.2.2')).status).toBe(401);
    expect((await search(fresh.identity, '192.0.2.2')).status).toBe(200);
  });
});
