import { kill } from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectDirectly, createTestDatabase, type TestDatabase } from './support/databases.js';
import { startTestServer, type TestServer } from './support/server.js';

/** Returns the backend process ids of the test database, except the one that runs this query. */
async function backendsOf(database: TestDatabase): Promise<number[]> {
  const pool = connectDirectly(database);
  try {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await pool.end();
  }
}

describe.runIf(inject('postgresUrl') !== null)('the provider health check while PostgreSQL hangs', () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    server = await startTestServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.remove();
  });

  it('reports a timeout and recovers afterwards', async () => {
    const health = () => server.call({ path: '/v1/provider/health' });
    expect((await health()).body.ok).toBe(true);
    const backends = await backendsOf(database);
    expect(backends.length).toBeGreaterThan(0);
    for (const pid of backends) kill(pid, 'SIGSTOP');
    try {
      const { status, body } = await health();
      expect({ status, body }).toEqual({
        status: 200,
        body: { ok: false, message: 'health check timeout', checked_at: expect.any(String) },
      });
    } finally {
      for (const pid of backends) kill(pid, 'SIGCONT');
    }
    expect((await health()).body).toEqual({ ok: true, checked_at: expect.any(String) });
  });
});
