import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { PostgresStore } from '../src/store/postgres/postgres-store.js';
import { connectDirectly, createTestDatabase, type TestDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { send, startTestServer, type TestServer } from './support/server.js';
import { TcpRelay } from './support/tcp-relay.js';

const silent = pino({ level: 'silent' });
const path = '/v1/memory/working/p/k';

// The embedded database runs in this process and cannot become unreachable.
describe.runIf(inject('postgresUrl') !== null)('while PostgreSQL is unreachable', () => {
  let database: TestDatabase;
  let relay: TcpRelay;
  let relayPort: string;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    const url = new URL(database.flags.databaseUrl ?? '');
    relay = new TcpRelay({ host: url.hostname, port: Number(url.port) });
    relayPort = String(await relay.start());
    url.port = relayPort;
    server = await startTestServer(database, { databaseUrl: url.href, databasePoolSize: '3' });
  });
  afterEach(() => relay.mend());
  afterAll(async () => {
    await server.close();
    relay.stop();
    await database.remove();
  });

  async function expectOutage(): Promise<void> {
    const operator = await server.token({ roles: ['operator'] });
    for (const token of ['', operator]) {
      const health = await server.call({ path: '/health', token });
      expect(health.status).toBe(200);
      expect(health.body).toEqual({ status: 'degraded', api: { status: 'ok' }, backend: { status: 'down' } });
    }
    const ready = await server.call({ path: '/ready' });
    expect([ready.status, ready.body]).toEqual([503, { ready: false }]);
    const plugin = await send(server.pluginUrl ?? '', { path: '/v1/health' });
    expect(plugin).toMatchObject({ status: 503, body: { status: 'degraded', capabilities: [] } });
    const metrics = await server.call({ path: '/metrics' });
    expect(metrics.body).toMatch(/^memhall_store_size_bytes Nan$/im);
  }

  async function expectRefusals(): Promise<void> {
    const calls = [{ path }, { method: 'PUT', path, body: { value: 1 } }, { method: 'DELETE', path }];
    const message = 'The store is not available right now. Try again shortly.';
    for (const answer of await Promise.all(calls.map((call) => server.call(call)))) {
      expectProblem(answer, 'UNAVAILABLE');
      expect(answer.body.error.message).toBe(message);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const search = { method: 'POST', path: '/v1/search', body: { namespaces: ['team:blue'] } };
    const refused = await send(server.pluginUrl ?? '', search);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', message } });
  }

  async function expectRecovery(): Promise<void> {
    await expect.poll(async () => (await server.call({ path: '/ready' })).status, { timeout: 10_000 }).toBe(200);
    const health = async () => (await server.call({ path: '/health' })).body.status;
    // The list of revoked tokens is read again every two seconds.
    await expect.poll(health, { timeout: 10_000 }).toBe('ok');
    expect((await server.call({ method: 'PUT', path, body: { value: 'back' } })).status).toBe(200);
    expect((await server.call({ path })).body.value).toBe('back');
  }

  it('reports broken and refused connections, and recovers', async () => {
    await expectRecovery();
    relay.cut();
    await expectRefusals();
    await expectOutage();
    relay.mend();
    await expectRecovery();
  });

  /** Runs `work` while PostgreSQL accepts no connections to the database. */
  async function whileShut(work: () => Promise<void>): Promise<void> {
    const admin = new Client({ connectionString: inject('postgresUrl') ?? '' });
    await admin.connect();
    const name = new URL(database.flags.databaseUrl ?? '').pathname.slice(1);
    try {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      await work();
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
  }

  it('reports an outage when PostgreSQL accepts no connections, and recovers', async () => {
    await whileShut(expectOutage);
    await expectRecovery();
  });

  // PostgreSQL refuses the login with 55000, which must not become INTERNAL.
  it('rejects requests with 503 when PostgreSQL accepts no connections', () => whileShut(expectRefusals));

  it('reports an outage when the database lacks the expected schema', async () => {
    const direct = connectDirectly(database);
    const operator = await server.token({ roles: ['operator'] });
    await direct.query('ALTER TABLE memhall.migrations RENAME TO elsewhere');
    const health = await server.call({ path: '/health', token: operator });
    await direct.query('ALTER TABLE memhall.elsewhere RENAME TO migrations');
    await direct.end();
    expect(health.status).toBe(200);
    expect(health.body).toMatchObject({ status: 'degraded', backend: { status: 'down' } });
  });

  it('gives up a connection whose statement is never answered', async () => {
    const url = new URL(database.flags.databaseUrl ?? '');
    url.port = relayPort;
    const opened = await openDatabase(database.config({ databaseUrl: url.href, statementTimeoutMs: '400' }), silent);
    const store = new PostgresStore(opened);
    const scope = { tenantId: 't', userId: 'u' };
    const read = () => store.read(scope, (tables) => tables.workingValues.get('p', 'k', new Date()));
    await read();
    relay.freeze();
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    relay.mend();
    await read();
    await opened.close();
  });

  it('reports an outage within seconds when the database hangs', async () => {
    relay.freeze();
    const started = Date.now();
    await expectOutage();
    expect(Date.now() - started).toBeLessThan(8000);
    relay.mend();
    await expectRecovery();
  });
});
