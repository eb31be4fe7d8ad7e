import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { findPlanByCorrelation, listPlans } from '../src/engine/state/plans.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { seedRows, useExplainedEngine } from './support/explain.js';
import { useServer } from './support/server.js';

const root = '/v1/memory/plans';
let planNumber = 0;

/** Returns the id of a plan that no other test uses. */
function newPlan(): string {
  planNumber += 1;
  return `plan-${planNumber}`;
}

const finished = ['completed', 'failed', 'cancelled'];
const statuses = ['running', 'paused', ...finished];

describeOneDatabase('plans', (database) => {
  const server = useServer(database);
  const get = (path: string, token?: string) =>
    server().call({ path: `${root}${path}`, ...(token === undefined ? {} : { token }) });
  const post = (body: Record<string, unknown>, token?: string) =>
    server().call({ method: 'POST', path: root, body, ...(token === undefined ? {} : { token }) });
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    server().call({ method: 'PUT', path: `${root}/${id}`, body, headers });
  const remove = (id: string, headers: Record<string, string> = {}) =>
    server().call({ method: 'DELETE', path: `${root}/${id}`, headers });
  const create = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const id = newPlan();
    expect((await post({ plan_id: id, goal_event: 'research.goal', ...fields })).status).toBe(201);
    return id;
  };
  const idsOf = (answer: { body: { plans: { plan_id: string }[] } }) => answer.body.plans.map((plan) => plan.plan_id);

  describe('POST and GET', () => {
    it('stores and returns every field', async () => {
      const id = newPlan();
      const body = {
        plan_id: id,
        goal_event: 'research.goal',
        goal_data: { topic: 'AI trends', 'a\nb': [1, null] },
        status: 'paused',
        state: { z: 1, a: { step: 2 } },
        current_state: 'waiting',
        response_event: 'research.done',
        correlation_ids: [`${id}-c2`, `${id}-c1`],
        session_id: 's'.repeat(256),
        parent_plan_id: 'plan-0',
      };
      const created = await post(body);
      expect(created.status).toBe(201);
      const { created_at, updated_at, ...rest } = created.body;
      expect(rest).toStrictEqual({ ...body, finished_at: null });
      expect(created_at).toBe(updated_at);
      const got = await get(`/${id}`);
      expect(got.body).toStrictEqual(created.body);
      expect(JSON.stringify(got.body.state)).toBe(JSON.stringify(body.state));
      expect(got.headers.get('etag')).toBe(created.headers.get('etag'));
    });

    it('applies the defaults of the contract', async () => {
      const id = await create();
      expect((await get(`/${id}`)).body).toMatchObject({
        goal_data: {},
        status: 'running',
        state: {},
        current_state: null,
        response_event: null,
        correlation_ids: [],
        session_id: null,
        parent_plan_id: null,
        finished_at: null,
      });
    });

    it('rejects a second plan with the same id and leaves the first unchanged', async () => {
      const id = await create({ state: { first: true } });
      const answers = await Promise.all([1, 2, 3].map(() => post({ plan_id: id, goal_event: 'g' })));
      for (const answer of answers) expectProblem(answer, 'CONFLICT');
      expect((await get(`/${id}`)).body.state).toEqual({ first: true });
    });

    it('lets exactly one of many concurrent requests create a plan', async () => {
      const id = newPlan();
      const answers = await Promise.all(Array.from({ length: 10 }, () => post({ plan_id: id, goal_event: 'g' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    });

    const valid = { plan_id: 'p', goal_event: 'e' };
    it.each<[string, Record<string, unknown>, string | RegExp]>([
      ['no plan_id', { goal_event: 'e' }, '"plan_id" is required.'],
      ['no goal_event', { plan_id: 'p' }, '"goal_event" is required.'],
      ['a long plan_id', { ...valid, plan_id: 'p'.repeat(101) }, /"plan_id" must match/],
      ['a long goal_event', { ...valid, goal_event: 'e'.repeat(256) }, /at most 255 characters/],
      ['a long response_event', { ...valid, response_event: 'e'.repeat(256) }, /at most 255 characters/],
      ['a long session_id', { ...valid, session_id: 's'.repeat(257) }, /"session_id" must match/],
      ['a long parent_plan_id', { ...valid, parent_plan_id: 'p'.repeat(101) }, /"parent_plan_id" must match/],
      ['an unknown status', { ...valid, status: 'active' }, /must be one of running, paused, completed, failed/],
      ['a list for goal_data', { ...valid, goal_data: [] }, '"goal_data" must be an object.'],
      ['a number for state', { ...valid, state: 1 }, '"state" must be an object.'],
      ['a correlation id with a blank', { ...valid, correlation_ids: ['a b'] }, /"correlation_ids.0" must match/],
      ['1001 correlation ids', { ...valid, correlation_ids: Array(1001).fill('c') }, /at most 1000 items/],
    ])('rejects %s', async (_, body, message) => {
      const answer = await post(body);
      expectProblem(answer, 'INVALID_REQUEST');
      expect(answer.body.error.message).toMatch(message);
    });

    it('rejects an unknown field', async () => {
      expectProblem(await post({ ...valid, goal: 1 }), 'UNKNOWN_FIELD');
    });

    it('returns 404 for an unknown plan', async () => {
      expectProblem(await get(`/${newPlan()}`), 'NOT_FOUND');
      expectProblem(await put(newPlan(), { status: 'completed' }), 'NOT_FOUND');
      expectProblem(await remove(newPlan()), 'NOT_FOUND');
    });
  });

  describe('life cycle', () => {
    it.each(['running', 'paused'])('allows a change from %s to every status', async (from) => {
      for (const to of statuses) {
        const id = await create({ status: from });
        const { status, body } = await put(id, { status: to });
        expect({ status, to: body.status }).toEqual({ status: 200, to });
        expect(body.finished_at).toBe(finished.includes(to) ? body.updated_at : null);
      }
    });

    it.each(finished)('keeps a %s plan in its status', async (from) => {
      for (const to of statuses.filter((status) => status !== from)) {
        const id = await create();
        const { body: ended } = await put(id, { status: from });
        const answer = await put(id, { status: to, state: { lost: true } });
        expectProblem(answer, 'INVALID_TRANSITION');
        expect(answer.body.error.details).toEqual({ from, to });
        expect((await get(`/${id}`)).body).toEqual(ended);
      }
    });

    it('lets a finished plan keep its status and change its state', async () => {
      const id = await create();
      const { body: ended } = await put(id, { status: 'completed' });
      await sleep(5);
      const again = await put(id, { status: 'completed', state: { note: 'late' } });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ state: { note: 'late' }, finished_at: ended.finished_at });
      expect((await put(id, { state: {} })).status).toBe(200);
    });

    it('accepts a new plan that is already finished', async () => {
      const id = await create({ status: 'failed' });
      const { body } = await get(`/${id}`);
      expect(body.finished_at).toBe(body.created_at);
      expectProblem(await put(id, { status: 'running' }), 'INVALID_TRANSITION');
    });

    it('replaces the given fields, clears fields set to null and leaves the rest', async () => {
      const id = await create({
        state: { a: 1, b: 1 },
        current_state: 'one',
        response_event: 'done',
        correlation_ids: [`x-${planNumber}`],
      });
      const { body: moved } = await put(id, { state: { b: 2 }, current_state: 'two' });
      expect(moved.state).toStrictEqual({ b: 2 });
      expect(moved).toMatchObject({ current_state: 'two', response_event: 'done', status: 'running' });
      const { body: cleared } = await put(id, { current_state: null, response_event: null, correlation_ids: [] });
      expect(cleared).toMatchObject({
        current_state: null,
        response_event: null,
        correlation_ids: [],
        state: { b: 2 },
      });
    });

    it('rejects fields that cannot be updated and invalid values', async () => {
      const id = await create();
      expectProblem(await put(id, { goal_event: 'other' }), 'UNKNOWN_FIELD');
      expectProblem(await put(id, { status: 'done' }), 'INVALID_REQUEST');
      expectProblem(await put(id, { state: null }), 'INVALID_REQUEST');
    });

    it('honours If-Match', async () => {
      const id = await create();
      const etag = (await get(`/${id}`)).headers.get('etag') ?? '';
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => put(id, { state: { n } }, { 'if-match': etag })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
      expectProblem(await remove(id, { 'if-match': etag }), 'ETAG_MISMATCH');
    });

    it('deletes the working memory of the plan and of no other', async () => {
      const [id, other] = [await create(), await create()];
      for (const plan of [id, other]) {
        for (const key of ['a', 'b']) {
          await server().call({ method: 'PUT', path: `/v1/memory/working/${plan}/${key}`, body: { value: 1 } });
        }
      }
      expect((await remove(id)).status).toBe(204);
      expectProblem(await get(`/${id}`), 'NOT_FOUND');
      expectProblem(await remove(id), 'NOT_FOUND');
      expect((await server().call({ path: `/v1/memory/working/${id}` })).body.count).toBe(0);
      expect((await server().call({ path: `/v1/memory/working/${other}` })).body.count).toBe(2);
      expect((await post({ plan_id: id, goal_event: 'g' })).status).toBe(201);
    });
  });

  describe('by correlation', () => {
    it('finds the plan that waits for a correlation id until it waits for another', async () => {
      const id = await create();
      const [first, second] = [`${id}-c1`, `${id}-c2`];
      expectProblem(await get(`/by-correlation/${first}`), 'NOT_FOUND');
      await put(id, { correlation_ids: [first, second, first] });
      const found = await get(`/by-correlation/${second}`);
      expect(found.status).toBe(200);
      expect(found.body).toEqual((await get(`/${id}`)).body);
      expect(found.body.correlation_ids).toEqual([first, second]);
      await put(id, { correlation_ids: [second] });
      expectProblem(await get(`/by-correlation/${first}`), 'NOT_FOUND');
      expect((await get(`/by-correlation/${second}`)).status).toBe(200);
    });

    it('finds paused plans but not finished ones', async () => {
      const id = await create({ correlation_ids: [`w-${planNumber + 1}`] });
      const [waiting] = (await get(`/${id}`)).body.correlation_ids;
      await put(id, { status: 'paused' });
      expect((await get(`/by-correlation/${waiting}`)).status).toBe(200);
      await put(id, { status: 'completed' });
      expectProblem(await get(`/by-correlation/${waiting}`), 'NOT_FOUND');
    });

    it('returns the newest of several waiting plans', async () => {
      const shared = `shared-${planNumber}`;
      const older = await create({ correlation_ids: [shared] });
      await sleep(5);
      const newer = await create({ correlation_ids: [shared] });
      expect((await get(`/by-correlation/${shared}`)).body.plan_id).toBe(newer);
      await remove(newer);
      expect((await get(`/by-correlation/${shared}`)).body.plan_id).toBe(older);
    });

    it('allows "by-correlation" as a plan id', async () => {
      await post({ plan_id: 'by-correlation', goal_event: 'g' });
      expect((await get('/by-correlation')).body.plan_id).toBe('by-correlation');
      expect((await remove('by-correlation')).status).toBe(204);
    });
  });

  describe('changing correlation ids', () => {
    const change = (id: string, body: unknown, token?: string) =>
      server().call({
        method: 'POST',
        path: `${root}/${id}/correlations`,
        body,
        ...(token === undefined ? {} : { token }),
      });

    it('adds and removes ids and reports the removed ones', async () => {
      const id = await create({ correlation_ids: ['a', 'b'].map((name) => `corr-${name}`), state: { kept: 1 } });
      const before = await get(`/${id}`);
      const changed = await change(id, { add: ['corr-c', 'corr-b'], remove: ['corr-a', 'corr-unknown'] });
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual({
        correlation_ids: ['corr-b', 'corr-c'],
        removed: ['corr-a'],
        became_empty: false,
      });
      const after = await get(`/${id}`);
      expect(after.body).toMatchObject({
        correlation_ids: ['corr-b', 'corr-c'],
        state: { kept: 1 },
        status: 'running',
      });
      expect(after.headers.get('etag')).toBe(changed.headers.get('etag'));
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
      expectProblem(await get('/by-correlation/corr-a'), 'NOT_FOUND');
      expect((await get('/by-correlation/corr-c')).body.plan_id).toBe(id);
      const nothing = await change(id, { remove: ['corr-a'], add: ['corr-c'] });
      expect(nothing.body).toMatchObject({ removed: [], became_empty: false });
      expect(nothing.headers.get('etag')).toBe(changed.headers.get('etag'));
    });

    it('removes each id for exactly one of twenty callers', async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `race-${index}`);
      const id = await create({ correlation_ids: ids });
      const answers = await Promise.all([...ids, ...ids].map((one) => change(id, { remove: [one] })));
      expect(answers.flatMap(({ body }) => body.removed).sort()).toEqual(ids);
      expect(answers.filter(({ body }) => body.became_empty)).toHaveLength(1);
      expect((await get(`/${id}`)).body.correlation_ids).toEqual([]);
    });

    it('rejects an id in both lists, too many ids, unknown fields and unknown plans', async () => {
      const id = await create({ correlation_ids: Array.from({ length: 1000 }, (_, index) => `many-${index}`) });
      expectProblem(await change(id, { add: ['one-more'] }), 'INVALID_REQUEST');
      expectProblem(await change(id, { add: ['x'], remove: ['x'] }), 'INVALID_REQUEST');
      expectProblem(await change(id, { add: ['a/b'] }), 'INVALID_REQUEST');
      expectProblem(await change(id, { set: [] }), 'UNKNOWN_FIELD');
      expectProblem(await change(newPlan(), { remove: ['x'] }), 'NOT_FOUND');
      const stranger = await server().token({ user: 'u10' });
      expectProblem(await change(id, { remove: ['many-1'] }, stranger), 'NOT_FOUND');
      expectProblem(await change(id, { remove: ['many-1'], user_id: 'u1' }, stranger), 'FORBIDDEN');
      const service = await server().token({ user: 'robot', roles: ['service'] });
      expect((await change(id, { remove: ['many-1'], user_id: 'u1' }, service)).body.removed).toEqual(['many-1']);
    });
  });

  describe('list', () => {
    it('lists plans newest first, page by page, each once and without state', async () => {
      const token = await server().token({ user: 'lister' });
      const ids = Array.from({ length: 45 }, (_, index) => `l-${String(index).padStart(2, '0')}`);
      for (const id of ids) await post({ plan_id: id, goal_event: 'g', goal_data: { id }, state: { big: 1 } }, token);
      const seen: { plan_id: string; created_at: string }[] = [];
      const counts: number[] = [];
      let query = '';
      do {
        const { body } = await get(`?${query}`, token);
        expect(body.count).toBe(body.plans.length);
        counts.push(body.count);
        seen.push(...body.plans);
        query = body.next_cursor === undefined ? '' : `cursor=${body.next_cursor}`;
      } while (query !== '');
      expect(counts).toEqual([20, 20, 5]);
      expect(seen.map(({ plan_id }) => plan_id).sort()).toEqual(ids);
      const order = seen.map(({ created_at, plan_id }) => `${created_at} ${plan_id}`);
      expect(order).toEqual([...order].sort().reverse());
      expect(seen[0]).not.toHaveProperty('state');
      expect(seen[0]).toMatchObject({ goal_data: { id: seen[0]?.plan_id } });
    });

    it('filters by status, by session and by both, across pages', async () => {
      const token = await server().token({ user: 'filterer' });
      for (const status of statuses) {
        for (const session of ['s1', 's2']) {
          const body = { plan_id: `${status}-${session}`, goal_event: 'g', status, session_id: session };
          await post(body, token);
        }
      }
      const list = async (query: string) => idsOf(await get(`?${query}`, token)).sort();
      for (const status of statuses) {
        expect(await list(`status=${status}`)).toEqual([`${status}-s1`, `${status}-s2`]);
      }
      expect(await list('status=active')).toEqual(['paused-s1', 'paused-s2', 'running-s1', 'running-s2']);
      expect(await list('session_id=s1')).toHaveLength(5);
      expect(await list('status=active&session_id=s2')).toEqual(['paused-s2', 'running-s2']);
      expect(await list('session_id=s3')).toEqual([]);
      const first = await get('?status=active&limit=3', token);
      expect(first.body.count).toBe(3);
      const second = await get(`?status=active&limit=3&cursor=${first.body.next_cursor}`, token);
      expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(await list('status=active'));
      expect(second.body).not.toHaveProperty('next_cursor');
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=ten',
      'status=done',
      'status=',
      'session_id=',
      'session_id=a%20b',
      'cursor=bogus',
      'cursor=W10',
      `cursor=${Buffer.from('["yesterday","p"]').toString('base64url')}`,
      `cursor=${Buffer.from('["2026-01-01","p"]').toString('base64url')}`,
      `cursor=${Buffer.from('["2026-01-01T00:00:00.000Z","a b"]').toString('base64url')}`,
      'page=2',
    ])('rejects ?%s', async (query) => {
      expect((await get(`?${query}`)).status).toBe(400);
    });
  });

  describe('ownership', () => {
    it('isolates users, tenants and similar ids', async () => {
      const id = await create({ correlation_ids: [`mine-${planNumber}`] });
      const [waiting] = (await get(`/${id}`)).body.correlation_ids;
      for (const request of [{ user: 'u10' }, { user: 'U1' }, { tenant: 't10' }, { tenant: 't2', user: 'u1' }]) {
        const token = await server().token(request);
        const as = (method: string, path: string, body?: unknown) =>
          server().call({ method, path: `${root}${path}`, body, token });
        expectProblem(await as('GET', `/${id}`), 'NOT_FOUND');
        expectProblem(await as('GET', `/by-correlation/${waiting}`), 'NOT_FOUND');
        expectProblem(await as('PUT', `/${id}`, { status: 'failed' }), 'NOT_FOUND');
        expectProblem(await as('DELETE', `/${id}`), 'NOT_FOUND');
        expect((await as('GET', '')).body).toEqual({ plans: [], count: 0 });
        expect((await as('POST', '', { plan_id: id, goal_event: 'theirs' })).status).toBe(201);
        expect((await as('DELETE', `/${id}`)).status).toBe(204);
      }
      expect((await get(`/${id}`)).body).toMatchObject({ goal_event: 'research.goal', status: 'running' });
    });

    it('lets only a service act for another user', async () => {
      const id = newPlan();
      const service = await server().token({ user: 'robot', roles: ['service'] });
      expect((await post({ plan_id: id, goal_event: 'g', user_id: 'u1' }, service)).status).toBe(201);
      expect((await get(`/${id}?user_id=u1`, service)).status).toBe(200);
      expect((await get(`/${id}`, service)).status).toBe(404);
      expect((await get('?user_id=u1&limit=1', service)).body.count).toBe(1);
      const stranger = await server().token({ user: 'u2' });
      expectProblem(await post({ plan_id: id, goal_event: 'g', user_id: 'u1' }, stranger), 'FORBIDDEN');
      expectProblem(await get('?user_id=u1', stranger), 'FORBIDDEN');
    });
  });
});

describeEachDatabase('plan queries', (database) => {
  const running = useExplainedEngine(database);

  it('uses indexes with thousands of plans', async () => {
    await seedRows(
      running(),
      ['plans', 'plan_correlations'],
      `INSERT INTO memhall.plans (tenant_id, user_id, plan_id, goal_event, goal_data, status, state, correlation_ids,
         session_id, etag, created_at, updated_at, finished_at)
       SELECT 't1', 'u' || n % 7, 'plan-' || n, 'g', '{}', CASE WHEN n % 10 = 0 THEN 'running' ELSE 'completed' END, '{}',
         ARRAY['c-' || n], 's-' || n % 100, 'e', now() - n * interval '1 second', now(),
         CASE WHEN n % 10 = 0 THEN NULL ELSE now() END
       FROM generate_series(1, 7000) n;
       INSERT INTO memhall.plan_correlations SELECT tenant_id, user_id, correlation_ids[1], plan_id FROM memhall.plans`,
    );
    const caller = callerOf('u0');
    const { result, plan } = await running().explain(caller, 'plan_correlations', (engine, own) =>
      findPlanByCorrelation(engine, own, { correlationId: 'c-1750' }),
    );
    expect(result?.planId).toBe('plan-1750');
    expect(plan).toMatch(/using plan_correlations_pkey/);
    expect(plan).not.toContain('Seq Scan');
    for (const [filter, index] of [
      [{}, 'plans_order'],
      [{ status: 'active' as const }, 'plans_active'],
      [{ status: 'completed' as const }, 'plans_status'],
      [{ sessionId: 's-0' }, 'plans_session'],
    ] as const) {
      const listed = await running().explain(caller, 'plans', (engine, own) =>
        listPlans(engine, own, { filter, limit: 20, cursor: undefined }),
      );
      expect(listed.result.items.length).toBeGreaterThan(0);
      expect(listed.plan, JSON.stringify(filter)).toContain(index);
      expect(listed.plan).not.toContain('Seq Scan');
      expect(listed.plan).not.toContain('Sort');
    }
  });
});
