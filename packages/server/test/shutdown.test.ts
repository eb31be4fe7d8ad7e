import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { RawConnection } from './support/raw-http.js';
import { startTestServer, type TestServer } from './support/server.js';

const path = '/v1/memory/working/p/k';

async function requestHead(server: TestServer, length: number): Promise<string> {
  const lines = [`PUT ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${await server.token()}`];
  return `${[...lines, 'Content-Type: application/json', `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`;
}

describeOneDatabase('closing a server', (database) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer(database());
  });

  it('finishes a request whose body is still arriving and then closes the connection', async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send(`${await requestHead(server, 17)}{"value":`);
    await sleep(50);
    const closing = server.close();
    await sleep(50);
    await connection.send('"kept"}\n');
    const answer = await connection.answer();
    expect(answer?.status).toBe(200);
    expect(answer?.headers.connection).toBe('close');
    await connection.closed();
    await closing;
    server = await startTestServer(database());
    expect((await server.call({ path })).body.value).toBe('kept');
    await server.close();
  });

  it('closes idle connections and accepts no new ones', async () => {
    const [used, unused] = [await RawConnection.open(server.url), await RawConnection.open(server.url)];
    await used.send('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await used.answer())?.status).toBe(200);
    const started = Date.now();
    await server.close();
    expect(Date.now() - started).toBeLessThan(4000);
    await Promise.all([used.closed(), unused.closed()]);
    await expect(RawConnection.open(server.url)).rejects.toThrow(/ECONNREFUSED/);
    await expect(RawConnection.open(server.pluginUrl ?? '')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('does not wait forever for stalled clients', async () => {
    const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(server.url)));
    const head = await requestHead(server, 100);
    const starts = ['GET /hea', head, `${head}{"value":`];
    await Promise.all(connections.map((connection, index) => connection.send(starts[index] ?? '')));
    await sleep(50);
    const started = Date.now();
    await server.close();
    expect(Date.now() - started).toBeLessThan(9000);
    await Promise.all(connections.map((connection) => connection.closed()));
  });
});

describe.runIf(inject('postgresUrl') !== null)('closing a server on PostgreSQL', () => {
  it('finishes a request that waits for the database', async () => {
    const database: TestDatabase = await createTestDatabase('postgres');
    const server = await startTestServer(database);
    const blocker = new Client({ connectionString: database.flags.databaseUrl });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE memhall.working_values IN ACCESS EXCLUSIVE MODE');
    const answer = server.call({ method: 'PUT', path, body: { value: 1 } });
    await sleep(100);
    const closing = server.close();
    await sleep(100);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await answer).status).toBe(200);
    await closing;
    await database.remove();
  });
});
