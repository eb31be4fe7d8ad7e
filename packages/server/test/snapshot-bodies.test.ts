import type { ProblemCode } from '@memhall/core';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { RawConnection } from './support/raw-http.js';
import { useServer } from './support/server.js';

const profile = 'project-copilot-v1';
const path = '/v1/tenants/t1/users/u1/conversations/c1/snapshots';

describeOneDatabase('a large body that is not a conversation', (database) => {
  const server = useServer(database);
  let admin: string;

  beforeAll(async () => {
    admin = await server().token({ roles: ['admin'] });
  });

  const long = 'x'.repeat(300 * 1024);
  const post = async (text: string) => {
    const response = await fetch(`${server().url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: text,
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  const body = (messages: string, rest = '') => `{"profile_id":"${profile}","messages":${messages}${rest}}`;
  const message = `{"id":"m","role":"user","content":"${long}"}`;

  it.each([
    ['broken JSON', body(`[${message}`), 'INVALID_REQUEST', /not valid JSON/],
    ['an unknown field', body(`[${message}]`, ',"extra":1'), 'UNKNOWN_FIELD', /"extra"/],
    ['a prototype', body(`[${message}]`, ',"__proto__":{"replay":false}'), 'UNKNOWN_FIELD', /__proto__/],
    ['a NUL', body(`[{"id":"m","role":"user","content":"\\u0000${long}"}]`), 'INVALID_REQUEST', /NUL/],
    ['half a character', body(`[{"id":"m","role":"user","content":"\\ud83d${long}"}]`), 'INVALID_REQUEST', /surrogate/],
    ['the same id twice', body(`[${message},${message}]`), 'INVALID_REQUEST', /same id/],
    [
      'a day that does not exist',
      body(`[${message.replace('{', '{"timestamp":"2026-02-30T10:00:00Z",')}]`),
      'INVALID_REQUEST',
      /messages.0.timestamp/,
    ],
    ['an unknown role', body(`[${message.replace('user', 'robot')}]`), 'INVALID_REQUEST', /messages.0.role/],
    ['deep nesting', body(`[${'['.repeat(400_000)}${']'.repeat(400_000)}]`), 'INVALID_REQUEST', /messages.0/],
    ['millions of empty lists', body(`[${'[],'.repeat(1_000_000)}[]]`), 'INVALID_REQUEST', /10000 items/],
  ] as [string, string, ProblemCode, RegExp][])('%s is rejected', async (_, text, code, reason) => {
    const answer = await post(text);
    expectProblem(answer, code);
    expect(answer.body.error.message).toMatch(reason);
  });

  it('is read neither compressed nor as another type', async () => {
    const headers = {
      authorization: `Bearer ${admin}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    };
    const init = { method: 'POST', headers, body: long };
    expect((await fetch(`${server().url}${path}`, init)).status).toBe(415);
    const text = { ...init, headers: { authorization: `Bearer ${admin}`, 'content-type': 'text/plain' } };
    expect((await fetch(`${server().url}${path}`, text)).status).toBe(415);
  });

  it('is refused for now while eight others are being received', async () => {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${admin}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const connections = await Promise.all(Array.from({ length: 9 }, () => RawConnection.open(server().url)));
    for (const connection of connections) connection.send(`${head.join('\r\n')}\r\n\r\n1\r\n{\r\n`);
    const answer = await Promise.race(connections.map((connection) => connection.answer()));
    expectProblem(answer, 'UNAVAILABLE');
    expect(answer?.headers['retry-after']).toBe('1');
    for (const connection of connections) connection.destroy();
    const large = body(`["${'x'.repeat(1024 * 1024)}"]`);
    await expect.poll(async () => (await post(large)).status, { timeout: 20_000 }).toBe(400);
  });
});
