import { afterEach, describe, expect, it, vi } from 'vitest';
import { listTaskContexts } from '../src/engine/state/list-task-contexts.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { seedRows, useExplainedEngine } from './support/explain.js';
import { useServer } from './support/server.js';

const root = '/v1/memory/task-context';
let taskNumber = 0;

/** Returns the id of a task that no other test uses. */
function newTask(): string {
  taskNumber += 1;
  return `task-${taskNumber}`;
}

/** Moves the clock ahead. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

describeOneDatabase('leases of tasks', (database) => {
  const server = useServer(database);
  const call = (method: string, path: string, body?: unknown) =>
    server().call({ method, path: `${root}${path}`, body });
  const post = (body: Record<string, unknown>) => call('POST', '', body);
  const change = (id: string, body: unknown) => call('POST', `/${id}/sub-tasks`, body);
  const take = (id: string, body: unknown = {}) => call('POST', `/${id}/lease`, body);
  const bySubTask = (id: string) => call('GET', `/by-subtask/${id}`);
  const finish = (id: string, part: string) => change(id, { remove: [part], lease_seconds: 60 });
  const remove = (id: string, leaseId: string) => call('DELETE', `/${id}?lease_id=${leaseId}`);
  const lease = { lease_id: expect.any(String), expires_at: expect.stringMatching(/Z$/), next: 'complete' };

  /** Stores a task with these sub-tasks and returns its id. */
  async function waiting(...parts: string[]): Promise<string> {
    const id = newTask();
    await post({ task_id: id, event_type: 'e', sub_tasks: parts.map((part) => `${id}-${part}`) });
    return id;
  }

  afterEach(() => vi.useRealTimers());

  describe('of the last sub-task', () => {
    it('is given to the caller that removes it, and only if it asks', async () => {
      const id = await waiting('a', 'b', 'c');
      expect((await finish(id, `${id}-a`)).body).toStrictEqual({
        sub_tasks: [`${id}-b`, `${id}-c`],
        removed: [`${id}-a`],
        became_empty: false,
      });
      expectProblem(await bySubTask(`${id}-a`), 'NOT_FOUND');
      const last = await change(id, { remove: [`${id}-b`, `${id}-c`], lease_seconds: 5 });
      expect(last.body).toEqual({ sub_tasks: [], removed: [`${id}-b`, `${id}-c`], became_empty: true, lease });
      const left = Date.parse(last.body.lease.expires_at) - Date.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(5000);
      const got = await call('GET', `/${id}`);
      expect(got.body.leased_until).toBe(last.body.lease.expires_at);
      expect(JSON.stringify(got.body)).not.toContain(last.body.lease.lease_id);

      const other = await waiting('a');
      expect((await change(other, { remove: [`${other}-a`] })).body).not.toHaveProperty('lease');
      expectProblem(await bySubTask(`${other}-a`), 'NOT_FOUND');
    });

    it('passes to the receiver of the same result when it has expired, and to nobody before', async () => {
      const id = await waiting('a');
      const first = await finish(id, `${id}-a`);
      expect((await bySubTask(`${id}-a`)).body).toMatchObject({ task_id: id, sub_tasks: [] });
      const held = await finish(id, `${id}-a`);
      expectProblem(held, 'LEASE_HELD');
      expect(held.body.error.details).toEqual({ expires_at: first.body.lease.expires_at });
      expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(50);
      pass(61);
      const second = await finish(id, `${id}-a`);
      expect(second.body).toEqual({ sub_tasks: [], removed: [], became_empty: false, lease });
      expect(second.body.lease.lease_id).not.toBe(first.body.lease.lease_id);
      expectProblem(await finish(id, `${id}-a`), 'LEASE_HELD');
      expect((await finish(id, `${id}-other`)).body).toStrictEqual({ sub_tasks: [], removed: [], became_empty: false });
      expectProblem(await remove(id, first.body.lease.lease_id), 'LEASE_LOST');
      expect((await remove(id, second.body.lease.lease_id)).status).toBe(204);
      expectProblem(await bySubTask(`${id}-a`), 'NOT_FOUND');
      expectProblem(await finish(id, `${id}-a`), 'NOT_FOUND');
    });

    it('passes to exactly one of twenty receivers at once', async () => {
      const id = await waiting('a');
      await finish(id, `${id}-a`);
      pass(61);
      const answers = await Promise.all(Array.from({ length: 20 }, () => finish(id, `${id}-a`)));
      const granted = answers.filter(({ status }) => status === 200);
      expect(granted).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error?.code === 'LEASE_HELD')).toHaveLength(19);
      expect((await remove(id, granted[0]?.body.lease.lease_id)).status).toBe(204);
    });

    it('lets a slow worker complete after it has expired, unless another worker took it', async () => {
      const id = await waiting('a');
      const { body } = await finish(id, `${id}-a`);
      pass(300);
      const renewed = await take(id, { lease_id: body.lease.lease_id });
      expect(renewed.body).toEqual({ ...lease, lease_id: body.lease.lease_id });
      expect(renewed.body.expires_at > body.lease.expires_at).toBe(true);
      expectProblem(await take(id), 'LEASE_HELD');
      expect((await remove(id, body.lease.lease_id)).status).toBe(204);

      const other = await waiting('a');
      const slow = await finish(other, `${other}-a`);
      pass(61);
      const fast = await take(other);
      expect(fast.body).toEqual(lease);
      expectProblem(await take(other, { lease_id: slow.body.lease.lease_id }), 'LEASE_LOST');
      expectProblem(await remove(other, slow.body.lease.lease_id), 'LEASE_LOST');
      expect((await remove(other, fast.body.lease_id)).status).toBe(204);
      expectProblem(await remove(other, slow.body.lease.lease_id), 'NOT_FOUND');
    });

    it('ends when sub-tasks are added, and the task waits again', async () => {
      const id = await waiting('a');
      const first = await finish(id, `${id}-a`);
      const added = await change(id, { add: [`${id}-b`], lease_id: first.body.lease.lease_id });
      expect(added.body.sub_tasks).toEqual([`${id}-b`]);
      expectProblem(await bySubTask(`${id}-a`), 'NOT_FOUND');
      expectProblem(await remove(id, first.body.lease.lease_id), 'LEASE_LOST');
      expectProblem(await take(id), 'CONFLICT');
      expect((await call('GET', `/${id}`)).body).not.toHaveProperty('leased_until');
      expect((await finish(id, `${id}-b`)).body.lease).toEqual(lease);
      expect((await call('PUT', `/${id}`, { sub_tasks: [`${id}-c`] })).body).not.toHaveProperty('leased_until');
      expectProblem(await take(id), 'CONFLICT');
      expectProblem(await bySubTask(`${id}-b`), 'NOT_FOUND');
    });

    it('survives changes of the state', async () => {
      const id = await waiting('a');
      const { body } = await finish(id, `${id}-a`);
      await call('PUT', `/${id}`, { state: { found: 1 } });
      expect((await bySubTask(`${id}-a`)).body).toMatchObject({ state: { found: 1 } });
      expect((await remove(id, body.lease.lease_id)).status).toBe(204);
    });

    it('can be given back before it expires', async () => {
      const id = await waiting('a');
      const { body } = await finish(id, `${id}-a`);
      const release = () => call('DELETE', `/${id}/lease?lease_id=${body.lease.lease_id}`);
      expect((await release()).status).toBe(204);
      expect((await finish(id, `${id}-a`)).body.lease).toEqual(lease);
      expectProblem(await release(), 'LEASE_LOST');
      expectProblem(await call('DELETE', `/${newTask()}/lease?lease_id=x`), 'NOT_FOUND');
      expectProblem(await call('DELETE', `/${id}/lease`), 'INVALID_REQUEST');
    });
  });

  describe('of a new task', () => {
    it('belongs to the worker that stored it until it delegates', async () => {
      const id = newTask();
      const stored = await post({ task_id: id, event_type: 'e', lease_seconds: 30 });
      expect(stored.body.lease).toEqual({ ...lease, next: 'delegate' });
      expectProblem(await take(id), 'LEASE_HELD');
      pass(31);
      const second = await take(id);
      expect(second.body).toEqual({ ...lease, next: 'delegate' });
      const late = { add: [`${id}-a`], lease_id: stored.body.lease.lease_id };
      expectProblem(await change(id, late), 'LEASE_LOST');
      expect((await call('GET', `/${id}`)).body.sub_tasks).toEqual([]);
      expect((await change(id, { ...late, lease_id: second.body.lease_id })).status).toBe(200);
    });

    it('is free if nobody took it', async () => {
      const id = newTask();
      expect((await post({ task_id: id, event_type: 'e' })).body).not.toHaveProperty('lease');
      expect((await take(id)).body.next).toBe('delegate');
      expectProblem(await take(newTask()), 'NOT_FOUND');
    });

    it('ends when the task is stored again', async () => {
      const id = newTask();
      const { body } = await post({ task_id: id, event_type: 'e', lease_seconds: 30 });
      await post({ task_id: id, event_type: 'e' });
      expectProblem(await remove(id, body.lease.lease_id), 'LEASE_LOST');
    });

    it.each<[string, string, Record<string, unknown>]>([
      ['a lease of no time', '', { task_id: 't', event_type: 'e', lease_seconds: 0 }],
      ['a lease of more than an hour', '', { task_id: 't', event_type: 'e', lease_seconds: 3601 }],
      ['a lease of half a second', '/t/lease', { lease_seconds: 0.5 }],
      ['a lease of a task that waits', '', { task_id: 't', event_type: 'e', lease_seconds: 1, sub_tasks: ['s'] }],
      ['a lease id with a blank', '/t/lease', { lease_id: 'a b' }],
      ['text for the time', '/t/sub-tasks', { lease_seconds: 'long' }],
    ])('rejects %s', async (_, path, body) => {
      expectProblem(await call('POST', path, body), 'INVALID_REQUEST');
    });
  });

  it('let nobody start a completed task again for a day', async () => {
    const id = newTask();
    const begin = () =>
      server().call({
        method: 'POST',
        path: root,
        body: { task_id: id, event_type: 'e', lease_seconds: 30 },
        headers: { 'if-none-match': '*' },
      });
    const { body } = await begin();
    expect((await remove(id, body.lease.lease_id)).status).toBe(204);
    const again = await begin();
    expectProblem(again, 'ETAG_MISMATCH');
    expect(again.body.error.message).toMatch(/completed within the last 24 hours/);
    expectProblem(await call('GET', `/${id}`), 'NOT_FOUND');
    expect((await post({ task_id: id, event_type: 'e' })).status).toBe(201);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);

    const later = await server().token({ ttlSeconds: 100_000 });
    pass(24 * 3600 + 1);
    const tomorrow = await server().call({
      method: 'POST',
      path: root,
      body: { task_id: id, event_type: 'e' },
      headers: { 'if-none-match': '*' },
      token: later,
    });
    expect(tomorrow.status).toBe(201);
  });

  it('belong to one user', async () => {
    const id = await waiting('a');
    const { body } = await finish(id, `${id}-a`);
    const token = await server().token({ user: 'u10' });
    const as = (method: string, path: string, sent?: unknown) =>
      server().call({ method, path: `${root}/${id}${path}`, body: sent, token });
    expectProblem(await as('POST', '/lease', { lease_id: body.lease.lease_id }), 'NOT_FOUND');
    expectProblem(await as('DELETE', `/lease?lease_id=${body.lease.lease_id}`), 'NOT_FOUND');
    expectProblem(await as('POST', '/lease', { user_id: 'u1' }), 'FORBIDDEN');
    expectProblem(await server().call({ path: `${root}?user_id=u1`, token }), 'FORBIDDEN');
    expect((await server().call({ path: root, token })).body).toEqual({ task_contexts: [], count: 0 });
  });
});

describeEachDatabase('the list of task contexts', (database) => {
  const server = useServer(database);
  const list = (query = '') => server().call({ path: `${root}${query}` });
  const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.task_contexts.map(({ task_id }: { task_id: string }) => task_id);

  afterEach(() => vi.useRealTimers());

  it('shows tasks by plan and by age, least recently changed first, without data and state', async () => {
    const started = Date.now() - 100_000;
    for (const [index, id] of ['first', 'second', 'third', 'fourth'].entries()) {
      vi.useFakeTimers({ toFake: ['Date'], now: started + index * 10_000 });
      const body = {
        task_id: id,
        event_type: 'e',
        data: { d: 1 },
        state: { s: 1 },
        plan_id: index % 2 ? 'odd' : 'even',
      };
      await server().call({ method: 'POST', path: root, body });
    }
    vi.useFakeTimers({ toFake: ['Date'], now: started + 50_000 });
    await server().call({ method: 'PUT', path: `${root}/first`, body: { sub_tasks: ['s'] } });
    vi.useFakeTimers({ toFake: ['Date'], now: started + 60_000 });
    const all = await list();
    expect(idsOf(all)).toEqual(['second', 'third', 'fourth', 'first']);
    expect(all.body).toMatchObject({ count: 4 });
    expect(all.body.task_contexts[3]).toStrictEqual({
      task_id: 'first',
      plan_id: 'even',
      event_type: 'e',
      response_event: null,
      response_topic: 'action-results',
      sub_tasks: ['s'],
      created_at: new Date(started).toISOString(),
      updated_at: new Date(started + 50_000).toISOString(),
    });
    expect(idsOf(await list('?plan_id=even'))).toEqual(['third', 'first']);
    expect(idsOf(await list('?plan_id=unknown'))).toEqual([]);
    expect(idsOf(await list('?stale_for=30'))).toEqual(['second', 'third', 'fourth']);
    expect(idsOf(await list('?stale_for=31&plan_id=odd'))).toEqual(['second']);
    const page = await list('?limit=3');
    expect(idsOf(page)).toEqual(['second', 'third', 'fourth']);
    const rest = await list(`?limit=3&cursor=${page.body.next_cursor}`);
    expect(idsOf(rest)).toEqual(['first']);
    expect(rest.body).not.toHaveProperty('next_cursor');
  });

  it.each(['limit=0', 'limit=101', 'stale_for=0', 'stale_for=-1', 'stale_for=1h', 'cursor=x', 'plan_id=a%20b'])(
    'rejects %s',
    async (query) => {
      expectProblem(await list(`?${query}`), 'INVALID_REQUEST');
    },
  );

  it('rejects an unknown parameter', async () => {
    expectProblem(await list('?age=1'), 'UNKNOWN_FIELD');
  });
});

describeEachDatabase('listing task contexts', (database) => {
  const running = useExplainedEngine(database);

  it('uses indexes with thousands of tasks', async () => {
    await seedRows(
      running(),
      ['task_contexts'],
      `INSERT INTO memhall.task_contexts
       SELECT 't1', 'u' || n % 7, 'task-' || n, 'p' || n % 50, 'e', NULL, 'x', '{}', '{}', '{}', 'e', now(), now()
       FROM generate_series(1, 5000) n`,
    );
    const cursor = Buffer.from(JSON.stringify(['2020-01-01T00:00:00.000Z', 'task-1'])).toString('base64url');
    for (const [planId, index] of [
      [undefined, 'task_contexts_order'],
      ['p1', 'task_contexts_plan'],
    ] as const) {
      const { result, plan } = await running().explain(callerOf('u1'), 'task_contexts', (engine, caller) =>
        listTaskContexts(engine, caller, { planId, staleForSeconds: 0, limit: 10, cursor }),
      );
      expect(result.items).toHaveLength(10);
      expect(plan).toContain(index);
      expect(plan).not.toContain('Sort');
    }
  });
});
