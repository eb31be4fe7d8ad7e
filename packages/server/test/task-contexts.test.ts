import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { findTaskBySubTask } from '../src/engine/state/task-contexts.js';
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

describeOneDatabase('task contexts', (database) => {
  const server = useServer(database);
  const get = (id: string, token?: string) =>
    server().call({ path: `${root}/${id}`, ...(token === undefined ? {} : { token }) });
  const post = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    server().call({ method: 'POST', path: root, body, headers });
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    server().call({ method: 'PUT', path: `${root}/${id}`, body, headers });
  const change = (id: string, body: unknown) =>
    server().call({ method: 'POST', path: `${root}/${id}/sub-tasks`, body });
  const bySubTask = (id: string, token?: string) => get(`by-subtask/${id}`, token);
  const remove = (id: string, headers: Record<string, string> = {}) =>
    server().call({ method: 'DELETE', path: `${root}/${id}`, headers });

  describe('POST and GET', () => {
    it('stores and returns every field', async () => {
      const id = newTask();
      const body = {
        task_id: id,
        plan_id: 'plan-456',
        event_type: 'research.requested',
        response_event: 'research.completed',
        response_topic: 'topic',
        data: { query: 'AI trends', z: [1, { 'line\nend': null }], a: '👩‍👩‍👧' },
        sub_tasks: [`${id}-b`, `${id}-a`],
        state: { progress: 0.5 },
      };
      const stored = await post(body);
      expect(stored.status).toBe(201);
      expect(stored.body).toEqual({ task_id: id, created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
      const got = await get(id);
      expect(got.status).toBe(200);
      expect(got.body).toStrictEqual({
        ...body,
        created_at: stored.body.created_at,
        updated_at: stored.body.created_at,
      });
      expect(JSON.stringify(got.body.data)).toBe(JSON.stringify(body.data));
      expect(got.headers.get('etag')).toBe(stored.headers.get('etag'));
    });

    it('applies the defaults of the contract', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e' });
      expect((await get(id)).body).toMatchObject({
        plan_id: null,
        response_event: null,
        response_topic: 'action-results',
        data: {},
        sub_tasks: [],
        state: {},
      });
    });

    it('replaces every field of an existing task and keeps created_at', async () => {
      const id = newTask();
      const first = await post({
        task_id: id,
        plan_id: 'p',
        event_type: 'e1',
        response_topic: 'x',
        sub_tasks: [`${id}-1`, `${id}-2`],
        state: { a: 1 },
      });
      await sleep(5);
      const second = await post({ task_id: id, event_type: 'e2', sub_tasks: [`${id}-2`, `${id}-3`] });
      expect(second.status).toBe(200);
      expect(second.body).toEqual(first.body);
      const { body } = await get(id);
      expect(body).toMatchObject({
        plan_id: null,
        event_type: 'e2',
        response_topic: 'action-results',
        sub_tasks: [`${id}-2`, `${id}-3`],
        state: {},
      });
      expect(body.updated_at > body.created_at).toBe(true);
      expect((await bySubTask(`${id}-1`)).status).toBe(404);
      expect((await bySubTask(`${id}-2`)).status).toBe(200);
      expect((await bySubTask(`${id}-3`)).status).toBe(200);
    });

    it('honours If-None-Match and If-Match', async () => {
      const id = newTask();
      const body = { task_id: id, event_type: 'e' };
      expectProblem(await post(body, { 'if-match': '*' }), 'ETAG_MISMATCH');
      expect((await post(body, { 'if-none-match': '*' })).status).toBe(201);
      expectProblem(await post(body, { 'if-none-match': '*' }), 'ETAG_MISMATCH');
    });

    const valid = { task_id: 't', event_type: 'e' };
    it.each<[string, Record<string, unknown>, string | RegExp]>([
      ['no task_id', { event_type: 'e' }, '"task_id" is required.'],
      ['no event_type', { task_id: 't' }, '"event_type" is required.'],
      ['an empty event_type', { ...valid, event_type: '' }, /"event_type" must not be empty/],
      ['a long event_type', { ...valid, event_type: 'e'.repeat(256) }, /"event_type" must have at most 255 characters/],
      ['a long response_event', { ...valid, response_event: 'e'.repeat(256) }, /"response_event" must have at most/],
      ['a long response_topic', { ...valid, response_topic: 'e'.repeat(101) }, /"response_topic" must have at most/],
      ['a long task_id', { ...valid, task_id: 't'.repeat(101) }, /"task_id" must match/],
      ['a task_id with a blank', { ...valid, task_id: 'a b' }, /"task_id" must match/],
      ['a long plan_id', { ...valid, plan_id: 'p'.repeat(101) }, /"plan_id" must match/],
      ['a list for data', { ...valid, data: [] }, '"data" must be an object.'],
      ['text for state', { ...valid, state: 'x' }, '"state" must be an object.'],
      ['text for sub_tasks', { ...valid, sub_tasks: 'x' }, '"sub_tasks" must be an array.'],
      ['a sub-task with a slash', { ...valid, sub_tasks: ['a/b'] }, /"sub_tasks.0" must match/],
      ['a long sub-task', { ...valid, sub_tasks: ['s'.repeat(101)] }, /"sub_tasks.0" must match/],
      ['1001 sub-tasks', { ...valid, sub_tasks: Array(1001).fill('s') }, /must have at most 1000 items/],
      ['a NUL', { ...valid, event_type: 'a\u0000' }, /NUL/],
    ])('rejects %s', async (_, body, message) => {
      const answer = await post(body);
      expectProblem(answer, 'INVALID_REQUEST');
      expect(answer.body.error.message).toMatch(message);
    });

    it('accepts values at the limits', async () => {
      const id = `${newTask()}-${'x'.repeat(100)}`.slice(0, 100);
      const subTasks = Array.from({ length: 1000 }, (_, index) => `${id.slice(0, 90)}-${index}`);
      const stored = await post({
        task_id: id,
        event_type: 'é'.repeat(255),
        response_event: 'e'.repeat(255),
        response_topic: 't'.repeat(100),
        plan_id: 'p'.repeat(100),
        sub_tasks: subTasks,
      });
      expect(stored.status).toBe(201);
      expect((await get(id)).body.sub_tasks).toEqual(subTasks);
      expectProblem(await change(id, { add: ['one-more'] }), 'INVALID_REQUEST');
      expect((await change(id, { add: ['one-more'], remove: [subTasks[0]] })).body.sub_tasks).toHaveLength(1000);
    });

    it('rejects an unknown field and names it', async () => {
      const answer = await post({ task_id: newTask(), event_type: 'e', subtasks: [] });
      expectProblem(answer, 'UNKNOWN_FIELD');
      expect(answer.body.error.details).toEqual({ field: 'subtasks' });
    });

    it('stores a repeated sub-task once', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e', sub_tasks: ['b', 'a', 'b'].map((name) => `${id}-${name}`) });
      expect((await get(id)).body.sub_tasks).toEqual([`${id}-b`, `${id}-a`]);
    });
  });

  describe('PUT', () => {
    it('replaces the list or the state and leaves the rest', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e', data: { d: 1 }, sub_tasks: [`${id}-1`], state: { a: 1, b: 1 } });
      const listed = await put(id, { sub_tasks: [`${id}-2`, `${id}-3`] });
      expect(listed.status).toBe(200);
      expect(listed.body).toMatchObject({ sub_tasks: [`${id}-2`, `${id}-3`], state: { a: 1, b: 1 }, data: { d: 1 } });
      const stated = await put(id, { state: { b: 2 } });
      expect(stated.body.state).toStrictEqual({ b: 2 });
      expect(stated.body.sub_tasks).toEqual([`${id}-2`, `${id}-3`]);
      expect((await get(id)).body).toEqual(stated.body);
      expect((await bySubTask(`${id}-1`)).status).toBe(404);
      expect((await bySubTask(`${id}-3`)).body.task_id).toBe(id);
    });

    it('changes updated_at, even with an empty body', async () => {
      const id = newTask();
      const { body: stored } = await post({ task_id: id, event_type: 'e' });
      await sleep(5);
      const { body } = await put(id, {});
      expect(body.created_at).toBe(stored.created_at);
      expect(body.updated_at > stored.created_at).toBe(true);
    });

    it('honours If-Match', async () => {
      const id = newTask();
      const { headers } = await post({ task_id: id, event_type: 'e' });
      const etag = headers.get('etag') ?? '';
      const first = await put(id, { state: { n: 1 } }, { 'if-match': etag });
      expect(first.status).toBe(200);
      const stale = await put(id, { state: { n: 2 } }, { 'if-match': etag });
      expectProblem(stale, 'ETAG_MISMATCH');
      expect(stale.body.error.details).toEqual({ latest_etag: first.headers.get('etag') });
      expect((await get(id)).body.state).toEqual({ n: 1 });
    });

    it('rejects other fields, null and a missing body', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e' });
      expectProblem(await put(id, { data: {} }), 'UNKNOWN_FIELD');
      expectProblem(await put(id, { state: null }), 'INVALID_REQUEST');
      expectProblem(await server().call({ method: 'PUT', path: `${root}/${id}` }), 'INVALID_REQUEST');
    });

    it('returns 404 for an unknown task', async () => {
      expectProblem(await put(newTask(), { state: {} }), 'NOT_FOUND');
      expectProblem(await put(newTask(), { state: {} }, { 'if-match': '*' }), 'NOT_FOUND');
    });
  });

  describe('DELETE', () => {
    it('deletes the task and its sub-tasks', async () => {
      const id = newTask();
      const { headers } = await post({ task_id: id, event_type: 'e', sub_tasks: [`${id}-1`] });
      expectProblem(await remove(id, { 'if-match': '"other"' }), 'ETAG_MISMATCH');
      expect((await remove(id, { 'if-match': headers.get('etag') ?? '' })).status).toBe(204);
      expectProblem(await remove(id), 'NOT_FOUND');
      expectProblem(await get(id), 'NOT_FOUND');
      expectProblem(await bySubTask(`${id}-1`), 'NOT_FOUND');
      expect((await post({ task_id: id, event_type: 'e' })).status).toBe(201);
    });
  });

  describe('by sub-task', () => {
    it('returns the whole parent task', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e', sub_tasks: [`${id}-1`, `${id}-2`], state: { a: 1 } });
      const found = await bySubTask(`${id}-2`);
      expect(found.status).toBe(200);
      expect(found.body).toEqual((await get(id)).body);
      expect(found.headers.get('etag')).toBe((await get(id)).headers.get('etag'));
    });

    it('matches only whole ids', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e', sub_tasks: [`${id}-sub`] });
      for (const other of [`${id}-su`, `${id}-sub1`, `${id}-SUB`, '%', `${id}-su_`]) {
        expect((await bySubTask(encodeURIComponent(other))).status).toBe(other === '%' ? 400 : 404);
      }
    });

    it('returns the newest of several waiting tasks', async () => {
      const [older, newer] = [newTask(), newTask()];
      const shared = `${older}-shared`;
      await post({ task_id: older, event_type: 'e', sub_tasks: [shared] });
      await sleep(5);
      await post({ task_id: newer, event_type: 'e', sub_tasks: [shared] });
      await put(older, {});
      expect((await bySubTask(shared)).body.task_id).toBe(newer);
      await remove(newer);
      expect((await bySubTask(shared)).body.task_id).toBe(older);
    });

    it('allows "by-subtask" as a task id', async () => {
      await post({ task_id: 'by-subtask', event_type: 'e' });
      expect((await get('by-subtask')).body.task_id).toBe('by-subtask');
      expect((await remove('by-subtask')).status).toBe(204);
    });
  });

  describe('changing sub-tasks', () => {
    it('appends and removes sub-tasks and reports the removed ones', async () => {
      const id = newTask();
      const stored = await post({ task_id: id, event_type: 'e', sub_tasks: ['a', 'b'].map((name) => `${id}-${name}`) });
      const changed = await change(id, { add: [`${id}-c`, `${id}-b`], remove: [`${id}-a`, `${id}-unknown`] });
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual({ sub_tasks: [`${id}-b`, `${id}-c`], removed: [`${id}-a`], became_empty: false });
      expect(changed.headers.get('etag')).not.toBe(stored.headers.get('etag'));
      expect((await get(id)).body.sub_tasks).toEqual([`${id}-b`, `${id}-c`]);
      expect((await bySubTask(`${id}-a`)).status).toBe(404);
      expect((await bySubTask(`${id}-c`)).body.task_id).toBe(id);
    });

    it('reports that the list became empty only when it does', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e', sub_tasks: [`${id}-1`] });
      const last = { sub_tasks: [], removed: [`${id}-1`], became_empty: true };
      expect((await change(id, { remove: [`${id}-1`] })).body).toEqual(last);
      const etag = (await get(id)).headers.get('etag');
      const nothing = { sub_tasks: [], removed: [], became_empty: false };
      expect((await change(id, { remove: [`${id}-1`] })).body).toEqual(nothing);
      expect((await change(id, {})).body).toEqual(nothing);
      expect((await get(id)).headers.get('etag')).toBe(etag);
      await change(id, { add: [`${id}-2`] });
      expect((await change(id, { remove: [`${id}-2`] })).body.became_empty).toBe(true);
    });

    it('lets exactly one of twenty workers see the list become empty', async () => {
      const id = newTask();
      const parts = Array.from({ length: 20 }, (_, index) => `${id}-${index}`);
      await post({ task_id: id, event_type: 'e', sub_tasks: parts });
      const answers = await Promise.all(parts.map((part) => change(id, { remove: [part] })));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(answers.filter(({ body }) => body.became_empty)).toHaveLength(1);
      expect(answers.flatMap(({ body }) => body.removed).sort()).toEqual([...parts].sort());
      expect((await get(id)).body.sub_tasks).toEqual([]);
    });

    it('keeps every update of twenty concurrent workers', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e' });
      const parts = Array.from({ length: 20 }, (_, index) => `${id}-${index}`);
      await Promise.all(parts.map((part) => change(id, { add: [part] })));
      expect((await get(id)).body.sub_tasks.sort()).toEqual([...parts].sort());
    });

    it('rejects an id in both lists, unknown fields and unknown tasks', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'e' });
      expectProblem(await change(id, { add: ['x'], remove: ['x'] }), 'INVALID_REQUEST');
      expectProblem(await change(id, { set: [] }), 'UNKNOWN_FIELD');
      expectProblem(await change(id, { add: [1] }), 'INVALID_REQUEST');
      expectProblem(await change(newTask(), { add: ['x'] }), 'NOT_FOUND');
    });
  });

  describe('ownership', () => {
    it('isolates users, tenants and similar ids', async () => {
      const id = newTask();
      await post({ task_id: id, event_type: 'mine', sub_tasks: [`${id}-1`] });
      for (const request of [{ user: 'u10' }, { user: 'U1' }, { tenant: 't10' }, { tenant: 't2', user: 'u1' }]) {
        const token = await server().token(request);
        const as = (method: string, path: string, body?: unknown) => server().call({ method, path, body, token });
        expectProblem(await get(id, token), 'NOT_FOUND');
        expectProblem(await bySubTask(`${id}-1`, token), 'NOT_FOUND');
        expectProblem(await as('PUT', `${root}/${id}`, { state: {} }), 'NOT_FOUND');
        expectProblem(await as('POST', `${root}/${id}/sub-tasks`, { remove: [`${id}-1`] }), 'NOT_FOUND');
        expectProblem(await as('DELETE', `${root}/${id}`), 'NOT_FOUND');
        expect((await as('POST', root, { task_id: id, event_type: 'theirs' })).status).toBe(201);
        expect((await as('DELETE', `${root}/${id}`)).status).toBe(204);
      }
      expect((await get(id)).body).toMatchObject({ event_type: 'mine', sub_tasks: [`${id}-1`] });
    });

    it('lets only a service act for another user', async () => {
      const id = newTask();
      const service = await server().token({ user: 'robot', roles: ['service'] });
      const forUser = { task_id: id, event_type: 'e', sub_tasks: [`${id}-1`], user_id: 'u1' };
      const as = (token: string, method: string, path: string, body?: unknown) =>
        server().call({ method, path, body, token });
      expect((await as(service, 'POST', root, forUser)).status).toBe(201);
      expect((await as(service, 'GET', `${root}/${id}?user_id=u1`)).status).toBe(200);
      expect((await as(service, 'GET', `${root}/by-subtask/${id}-1?user_id=u1`)).status).toBe(200);
      expect((await as(service, 'GET', `${root}/${id}`)).status).toBe(404);
      expect((await as(service, 'PUT', `${root}/${id}`, { state: { s: 1 }, user_id: 'u1' })).status).toBe(200);
      expect((await as(service, 'POST', `${root}/${id}/sub-tasks`, { add: ['x'], user_id: 'u1' })).status).toBe(200);
      const stranger = await server().token({ user: 'u2' });
      expectProblem(await as(stranger, 'POST', root, forUser), 'FORBIDDEN');
      expectProblem(await as(stranger, 'GET', `${root}/${id}?user_id=u1`), 'FORBIDDEN');
      expectProblem(await as(stranger, 'PUT', `${root}/${id}`, { user_id: 'u1' }), 'FORBIDDEN');
      expect((await as(service, 'DELETE', `${root}/${id}?user_id=u1`)).status).toBe(204);
    });
  });
});

describeEachDatabase('finding a task by its sub-task', (database) => {
  const running = useExplainedEngine(database);

  it('uses an index with thousands of tasks', async () => {
    await seedRows(
      running(),
      ['task_contexts', 'task_sub_tasks'],
      `INSERT INTO memhall.task_contexts
       SELECT 't1', 'u' || n % 7, 'task-' || n, NULL, 'e', NULL, 'x', '{}', ARRAY['sub-' || n], '{}', 'e', now(), now()
       FROM generate_series(1, 5000) n;
       INSERT INTO memhall.task_sub_tasks SELECT tenant_id, user_id, sub_tasks[1], task_id FROM memhall.task_contexts`,
    );
    const { result, plan } = await running().explain(callerOf('u1'), 'task_sub_tasks', (engine, caller) =>
      findTaskBySubTask(engine, caller, { subTaskId: 'sub-1681' }),
    );
    expect(result?.taskId).toBe('task-1681');
    expect(plan).toMatch(/Index (Only )?Scan (Backward )?using task_sub_tasks_pkey/);
    expect(plan).not.toContain('Seq Scan');
  });
});
