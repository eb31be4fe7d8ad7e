import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startServer } from '../src/main.js';
import type { RunningServer } from '../src/running-server.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { forgeSecret, forgeToken } from './support/forge-token.js';
import { keepLog } from './support/keep-log.js';
import { type Answer, send } from './support/server.js';

const path = '/v1/memory/working/p/k';
/** A server with ten connections works on this many requests while they wait for the database. */
const atOnce = 32;
const sent = 100;

describe.runIf(inject('postgresUrl') !== null)('a server that has more to do than it can', () => {
  const { logger, log } = keepLog();
  let database: TestDatabase;
  let server: RunningServer;
  let holder: Client;
  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    holder = new Client({ connectionString: database.directUrl });
    await holder.connect();
  });
  afterEach(async () => {
    await holder.end();
    await server.close();
    await database.remove();
  });

  const start = async (shedDelayMs: string) => {
    server = await startServer(database.config({ jwtSecret: forgeSecret, shedDelayMs }), logger);
  };
  const put = (tenant: string, number: number): Promise<Answer> => {
    const token = forgeToken({ tenant_id: tenant, user_id: `user-${number}` });
    return send(server.url, { method: 'PUT', path, body: { value: tenant }, token });
  };
  /** Makes everything that reads or writes values wait. */
  const hold = async () => {
    await holder.query('BEGIN; LOCK TABLE memhall.working_values IN ACCESS EXCLUSIVE MODE');
  };

  it('does what one tenant asks before all that another one asked earlier', async () => {
    await start('0');
    await hold();
    const answered: string[] = [];
    const note = async (tenant: string, number: number) => {
      expect((await put(tenant, number)).status).toBe(200);
      answered.push(tenant);
    };
    const busy = Array.from({ length: sent }, (_, number) => note('busy', number));
    await sleep(1000);
    const quiet = note('quiet', 0);
    await sleep(500);
    await holder.query('ROLLBACK');
    await quiet;
    expect(answered.length).toBeLessThan(atOnce + 20);
    await Promise.all(busy);
  });

  it('refuses what would wait too long, and says when to try again', async () => {
    await start('1000');
    await hold();
    const answers = Array.from({ length: sent }, (_, number) => put('busy', number));
    const first = await Promise.race(answers);
    expectProblem(first, 'UNAVAILABLE');
    expect(first.headers.get('retry-after')).toBe('1');
    await sleep(500);
    await holder.query('ROLLBACK');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(atOnce);
    expect(statuses.filter((status) => status === 503)).toHaveLength(sent - atOnce);
    const { body } = await send(server.url, { path: '/metrics' });
    expect(body).toContain(`memhall_requests_shed_total ${sent - atOnce}\n`);
    expect(body).toContain('memhall_requests_waiting 0\n');
    expect(log()).not.toContain('request failed');
    expect((await put('busy', 0)).status).toBe(200);
  });
});
