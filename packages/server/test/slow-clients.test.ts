import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './support/expect-problem.js';
import { forgeToken } from './support/forge-token.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { RawConnection } from './support/raw-http.js';
import { send } from './support/server.js';

const bearer = `Authorization: Bearer ${forgeToken()}`;
const head = (length: number, ...lines: string[]) =>
  [
    'PUT /v1/memory/working/p/k HTTP/1.1',
    'Host: x',
    bearer,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...lines,
  ]
    .join('\r\n')
    .concat('\r\n\r\n');

describe('clients slower than the request timeout', () => {
  let server: LoggedServer;
  beforeAll(async () => {
    server = await startLoggedServer({ requestTimeoutMs: '1000' });
  });
  afterAll(async () => {
    expect((await send(server.url, { path: '/health' })).body.status).toBe('ok');
    expect(server.logLines().filter(({ level }) => level >= 50)).toEqual([]);
    await server.close();
  });

  /** Sends one piece at a time while the connection is open, for at most five seconds. */
  async function drip(connection: RawConnection, piece: string): Promise<void> {
    for (let sent = 0; sent < 100 && connection.open; sent++) {
      await connection.send(piece);
      await sleep(50);
    }
  }

  it('returns 408 when the headers take too long', async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send('GET /health HTTP/1.1\r\nHost: x\r\n');
    const dripping = drip(connection, 'X-A: 1\r\n');
    expectProblem(await connection.answer(), 'INVALID_REQUEST', 408);
    await connection.closed();
    await dripping;
  });

  it('returns 408 with the request id when the body takes too long', async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send(head(1000, 'X-Request-Id: slow-body'));
    const dripping = drip(connection, ' ');
    const answer = await connection.answer();
    expectProblem(answer, 'INVALID_REQUEST', 408);
    expect(answer?.headers['x-request-id']).toBe('slow-body');
    await connection.closed();
    await dripping;
  });

  it('returns 408 when the client stops in the middle', async () => {
    for (const start of ['GET /hea', head(1000), `${head(1000)}{"value":`]) {
      const connection = await RawConnection.open(server.url);
      await connection.send(start);
      expectProblem(await connection.answer(), 'INVALID_REQUEST', 408);
      await connection.closed();
    }
  });

  it('sends no second response when the client keeps sending', async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send(head(100_000_000));
    expectProblem(await connection.answer(), 'PAYLOAD_TOO_LARGE');
    const dripping = drip(connection, 'x');
    expect(await connection.answer()).toBeUndefined();
    await dripping;
  });

  it('does not delay other clients', async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(server.url)));
    await Promise.all(slow.map((connection) => connection.send(head(1000))));
    const first = await Promise.race([
      send(server.url, { path: '/health' }).then(({ status }) => `health ${status}`),
      ...slow.map((connection) => connection.closed().then(() => 'a slow client')),
    ]);
    expect(first).toBe('health 200');
    for (const connection of slow) expectProblem(await connection.answer(), 'INVALID_REQUEST', 408);
  });

  it('allows pauses between requests', async () => {
    const connection = await RawConnection.open(server.url);
    const body = '{"value":1}';
    await connection.send(`${head(body.length)}${body}`);
    expect((await connection.answer())?.status).toBe(200);
    await sleep(3000);
    await connection.send(`${head(body.length)}${body}`);
    expect((await connection.answer())?.status).toBe(200);
    connection.destroy();
  });
});
