import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { connectDirectly, createTestDatabase, type TestDatabase } from './support/databases.js';
import { type Answer, startTestServer, type TestServer } from './support/server.js';

describe.runIf(inject('postgresUrl') !== null)('three nodes on one database', () => {
  let database: TestDatabase;
  let nodes: TestServer[];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    nodes = await Promise.all(
      [1, 2, 3].map(() => startTestServer(database, { databasePoolSize: '4', drainMs: '400' })),
    );
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.remove();
  });

  const node = (index: number): TestServer => {
    const found = nodes[index % nodes.length];
    if (found === undefined) throw new Error('there is no such node');
    return found;
  };
  const remember = (index: number, content: string, id = 'tea') =>
    node(index).call({ method: 'POST', path: '/v1/remember', body: { content, external_id: id } });
  const recall = async (index: number, query = 'tea'): Promise<string[]> => {
    const answer = await node(index).call({ method: 'POST', path: '/v1/recall', body: { query } });
    expect(answer.status).toBe(200);
    return answer.body.results.map(({ text }: { text: string }) => text);
  };
  const recallEverywhere = () => Promise.all(nodes.map((_, index) => recall(index)));

  it('recall what another one has just stored, corrected or forgotten', async () => {
    expect(await recallEverywhere()).toEqual([[], [], []]);
    for (let round = 0; round < 6; round++) {
      const content = `I take my tea in cup ${round}.`;
      expect((await remember(round, content)).status).toBeLessThan(300);
      expect(await recallEverywhere()).toEqual([[content], [content], [content]]);
    }
    const found = await node(0).call({ method: 'POST', path: '/v1/recall', body: { query: 'tea' } });
    const { id } = found.body.results[0];
    expect((await node(1).call({ method: 'DELETE', path: `/v1/memories/${id}` })).status).toBeLessThan(300);
    expect(await recallEverywhere()).toEqual([[], [], []]);
  });

  it('recall nothing of a user who was forgotten on another one', async () => {
    await remember(0, 'I take my tea with honey.');
    await recallEverywhere();
    const admin = await node(1).token({ roles: ['admin'] });
    const forgotten = await node(1).call({ method: 'DELETE', path: '/v1/tenants/t1/users/u1/memory', token: admin });
    expect(forgotten.status).toBeLessThan(300);
    expect(await recallEverywhere()).toEqual([[], [], []]);
  });

  it('let one of several writers win that have read the same version', async () => {
    const value = (key: string) => ({ method: 'PUT', path: `/v1/memory/working/p/${key}`, body: { value: 1 } });
    const first = await node(0).call(value('register'));
    expect(first.status).toBeLessThan(300);
    const etag = (await node(1).call({ path: '/v1/memory/working/p/register' })).headers.get('etag');
    expect(etag).not.toBeNull();
    const attempts: Answer[] = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        node(index).call({ ...value('register'), body: { value: index }, headers: { 'if-match': etag ?? '' } }),
      ),
    );
    const won = attempts.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    expect(attempts.filter(({ status }) => status === 412)).toHaveLength(8);
  });

  it('serve while they drain, say that they are not ready, and ask their clients to connect again', async () => {
    const leaving = await startTestServer(database, { drainMs: '1500' });
    expect((await leaving.call({ path: '/ready' })).status).toBe(200);
    const closed = leaving.close();
    await sleep(50);
    const ready = await leaving.call({ path: '/ready' });
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect((await leaving.call({ path: '/v1/memory/working/p/register' })).status).toBe(200);
    await closed;
    await expect(leaving.call({ path: '/ready' })).rejects.toThrow();
  });
});

describe.runIf(inject('postgresUrl') !== null)('quotas of two nodes', () => {
  const settings = { quotaUserPerMinute: '10', quotaTenantPerMinute: '64' };
  let database: TestDatabase;
  let nodes: TestServer[];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    nodes = await Promise.all([1, 2].map(() => startTestServer(database, settings)));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.remove();
  });

  /** Sends requests of users to the nodes in turn, and returns how many passed. */
  const flood = async (requests: number, tenant: string, users: number): Promise<number> => {
    const answers = await Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const node = nodes[index % 2];
        const token = (await node?.token({ tenant, user: `u${index % users}` })) ?? '';
        return node?.call({ path: '/v1/memory/working/p/k', token });
      }),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([404, 429]));
    return answers.filter((answer) => answer?.status === 404).length;
  };

  it('are one quota', async () => {
    expect(await flood(60, 'one', 1)).toBe(10);
    const late = await startTestServer(database, settings);
    const token = await late.token({ tenant: 'one', user: 'u0' });
    const answer = await late.call({ path: '/v1/memory/working/p/k', token });
    expect([answer.status, answer.body.error.details.scope]).toEqual([429, 'user']);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await late.close();
  });

  it('lose at most a sixteenth to requests that one of them was granted and did not get', async () => {
    const passed = await flood(200, 'many', 20);
    expect(passed).toBeLessThanOrEqual(64);
    expect(passed).toBeGreaterThanOrEqual(60);
  });

  it('count again after a minute, and forget counts that are over', async () => {
    const direct = connectDirectly(database);
    const past = `UPDATE memhall.quota_counts SET ends_at = now() - interval '1 second'`;
    expect((await direct.query(past)).rowCount).toBeGreaterThan(0);
    const fresh = await startTestServer(database, settings);
    const call = async () =>
      (await fresh.call({ path: '/v1/memory/working/p/k', token: await fresh.token({ tenant: 'one', user: 'u0' }) }))
        .status;
    expect(await call()).toBe(404);
    await direct.query(past);
    await fresh.close();
    const running = await startEngine(database.config(), pino({ level: 'silent' }));
    await running.engine.store.count('one', (tables) => tables.quotaCounts.deleteEnded(new Date()));
    await running.close();
    const { rows } = await direct.query('SELECT DISTINCT tenant_id FROM memhall.quota_counts');
    expect(rows).toEqual([{ tenant_id: 'many' }]);
    await direct.end();
  });
});
