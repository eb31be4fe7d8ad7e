import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listSessions } from '../src/engine/state/sessions.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { seedRows, useExplainedEngine } from './support/explain.js';
import { useServer } from './support/server.js';

const root = '/v1/memory/sessions';
let sessionNumber = 0;

/** Returns the id of a session that no other test uses. */
function newSession(): string {
  sessionNumber += 1;
  return `session-${sessionNumber}`;
}

describeOneDatabase('sessions', (database) => {
  const server = useServer(database);
  const get = (path: string, token?: string) =>
    server().call({ path: `${root}${path}`, ...(token === undefined ? {} : { token }) });
  const post = (body: Record<string, unknown>, token?: string) =>
    server().call({ method: 'POST', path: root, body, ...(token === undefined ? {} : { token }) });
  const put = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
    server().call({ method: 'PUT', path: `${root}/${id}`, body, headers });
  const remove = (id: string, headers: Record<string, string> = {}) =>
    server().call({ method: 'DELETE', path: `${root}/${id}`, headers });
  const idsOf = (answer: { body: { sessions: { session_id: string }[] } }) =>
    answer.body.sessions.map((session) => session.session_id);

  describe('POST and GET', () => {
    it('stores and returns every field, with the plans of the session', async () => {
      const id = `${newSession()}-${'s'.repeat(256)}`.slice(0, 256);
      const body = {
        session_id: id,
        agent_id: 'a'.repeat(100),
        name: 'Cafe\u0301',
        metadata: { source: 'web-ui', 'a\nb': [null] },
      };
      const created = await post(body);
      expect(created.status).toBe(201);
      const { created_at, last_interaction, ...rest } = created.body;
      expect(rest).toStrictEqual({ ...body, name: 'Café' });
      expect(last_interaction).toBe(created_at);
      const got = await get(`/${id}`);
      expect(got.body).toStrictEqual({ ...created.body, plans: [] });
      expect(got.headers.get('etag')).toBe(created.headers.get('etag'));
    });

    it('applies the defaults of the contract', async () => {
      const { body } = await post({ session_id: newSession() });
      expect(body).toMatchObject({ agent_id: null, name: null, metadata: {} });
    });

    it('rejects a second session with the same id', async () => {
      const id = newSession();
      await post({ session_id: id, name: 'first' });
      expectProblem(await post({ session_id: id }), 'CONFLICT');
      expect((await get(`/${id}`)).body.name).toBe('first');
    });

    it.each<[string, Record<string, unknown>, string | RegExp]>([
      ['no session_id', {}, '"session_id" is required.'],
      ['a long session_id', { session_id: 's'.repeat(257) }, /"session_id" must match/],
      ['a session_id with a slash', { session_id: 'a/b' }, /"session_id" must match/],
      ['a long agent_id', { session_id: 's', agent_id: 'a'.repeat(101) }, /"agent_id" must match/],
      ['a long name', { session_id: 's', name: 'n'.repeat(256) }, /at most 255 characters/],
      ['text for metadata', { session_id: 's', metadata: 'x' }, '"metadata" must be an object.'],
    ])('rejects %s', async (_, body, message) => {
      const answer = await post(body);
      expectProblem(answer, 'INVALID_REQUEST');
      expect(answer.body.error.message).toMatch(message);
    });

    it('rejects an unknown field', async () => {
      expectProblem(await post({ session_id: 's', title: 'x' }), 'UNKNOWN_FIELD');
    });

    it('returns 404 for an unknown session', async () => {
      expectProblem(await get(`/${newSession()}`), 'NOT_FOUND');
      expectProblem(await put(newSession(), {}), 'NOT_FOUND');
      expectProblem(await remove(newSession()), 'NOT_FOUND');
    });

    it('returns the newest plans of a session and a cursor for the rest', async () => {
      const id = newSession();
      await post({ session_id: id });
      const plans = Array.from({ length: 23 }, (_, index) => `${id}-p${String(index).padStart(2, '0')}`);
      for (const plan_id of plans) {
        await server().call({
          method: 'POST',
          path: '/v1/memory/plans',
          body: { plan_id, goal_event: 'g', session_id: id },
        });
      }
      await server().call({ method: 'POST', path: '/v1/memory/plans', body: { plan_id: `${id}-x`, goal_event: 'g' } });
      const { body } = await get(`/${id}`);
      expect(body.plans).toHaveLength(20);
      const { body: rest } = await server().call({
        path: `/v1/memory/plans?session_id=${id}&cursor=${body.plans_next_cursor}`,
      });
      const all = [...body.plans, ...rest.plans].map(({ plan_id }: { plan_id: string }) => plan_id);
      expect(all.sort()).toEqual(plans);
    });
  });

  describe('PUT', () => {
    it.each([
      ['an empty body', undefined],
      ['an empty object', {}],
    ])('updates last_interaction with %s', async (_, body) => {
      const id = newSession();
      const { body: created } = await post({ session_id: id, name: 'n', metadata: { a: 1 } });
      await sleep(5);
      const touched = await put(id, body);
      expect(touched.status).toBe(200);
      expect(touched.body.last_interaction > created.last_interaction).toBe(true);
      expect(touched.body).toMatchObject({ name: 'n', metadata: { a: 1 }, created_at: created.created_at });
    });

    it('replaces only the given fields', async () => {
      const id = newSession();
      const { body: created } = await post({ session_id: id, name: 'n', metadata: { a: 1, b: 1 } });
      await sleep(5);
      const { body: renamed } = await put(id, { name: 'm', metadata: { b: 2 } });
      expect(renamed).toEqual({ ...created, name: 'm', metadata: { b: 2 } });
      const { body: moved } = await put(id, { last_interaction: '2026-01-11T11:35:00+01:00' });
      expect(moved).toEqual({ ...renamed, last_interaction: '2026-01-11T10:35:00.000Z' });
      expect((await put(id, { name: null })).body.name).toBeNull();
    });

    it.each([
      { last_interaction: 'yesterday' },
      { last_interaction: '2026-01-11' },
      { last_interaction: '2026-01-11T10:35:00' },
      { last_interaction: '2026-02-30T10:35:00Z' },
      { last_interaction: '2026-13-01T10:35:00Z' },
      { last_interaction: 1768127700 },
      { metadata: null },
      { name: '' },
      [],
    ])('rejects %j', async (body) => {
      const id = newSession();
      await post({ session_id: id });
      expectProblem(await put(id, body), 'INVALID_REQUEST');
    });

    it('rejects a field that cannot be updated', async () => {
      const id = newSession();
      await post({ session_id: id });
      expectProblem(await put(id, { agent_id: 'x' }), 'UNKNOWN_FIELD');
    });

    it('honours If-Match', async () => {
      const id = newSession();
      const { headers } = await post({ session_id: id });
      const etag = headers.get('etag') ?? '';
      expect((await put(id, { name: 'a' }, { 'if-match': etag })).status).toBe(200);
      expectProblem(await put(id, { name: 'b' }, { 'if-match': etag }), 'ETAG_MISMATCH');
      expectProblem(await remove(id, { 'if-match': etag }), 'ETAG_MISMATCH');
    });
  });

  describe('DELETE', () => {
    it('deletes the session and keeps its plans', async () => {
      const id = newSession();
      await post({ session_id: id });
      const plan = { plan_id: `${id}-p`, goal_event: 'g', session_id: id };
      await server().call({ method: 'POST', path: '/v1/memory/plans', body: plan });
      expect((await remove(id)).status).toBe(204);
      expectProblem(await remove(id), 'NOT_FOUND');
      expectProblem(await get(`/${id}`), 'NOT_FOUND');
      expect((await server().call({ path: `/v1/memory/plans?session_id=${id}` })).body.count).toBe(1);
    });
  });

  describe('list', () => {
    it('lists the latest interaction first, page by page, each session once', async () => {
      const token = await server().token({ user: 'lister' });
      const as = (method: string, path: string, body?: unknown) =>
        server().call({ method, path: `${root}${path}`, body, token });
      const ids = Array.from({ length: 25 }, (_, index) => `l-${String(index).padStart(2, '0')}`);
      for (const [index, session_id] of ids.entries()) {
        await as('POST', '', { session_id });
        // Groups of three sessions share the same moment.
        const last_interaction = new Date(Date.UTC(2026, 0, 1, Math.floor(index / 3))).toISOString();
        await as('PUT', `/${session_id}`, { last_interaction });
      }
      const first = await as('GET', '');
      expect(first.body.count).toBe(20);
      const second = await as('GET', `?cursor=${first.body.next_cursor}`);
      expect(second.body).not.toHaveProperty('next_cursor');
      expect([...idsOf(first), ...idsOf(second)]).toEqual([...ids].reverse());
      await as('PUT', '/l-03', {});
      expect(idsOf(await as('GET', '?limit=2'))).toEqual(['l-03', 'l-24']);
    });

    it.each(['limit=0', 'limit=101', 'cursor=bogus', 'cursor=WyJhIiwiYiJd', 'status=active'])(
      'rejects ?%s',
      async (query) => {
        expect((await get(`?${query}`)).status).toBe(400);
      },
    );
  });

  describe('ownership', () => {
    it('isolates users, tenants and similar ids', async () => {
      const id = newSession();
      await post({ session_id: id, name: 'mine' });
      for (const request of [{ user: 'u10' }, { user: 'U1' }, { tenant: 't10' }, { tenant: 't2', user: 'u1' }]) {
        const token = await server().token(request);
        const as = (method: string, path: string, body?: unknown) =>
          server().call({ method, path: `${root}${path}`, body, token });
        expectProblem(await as('GET', `/${id}`), 'NOT_FOUND');
        expectProblem(await as('PUT', `/${id}`, { name: 'theirs' }), 'NOT_FOUND');
        expectProblem(await as('DELETE', `/${id}`), 'NOT_FOUND');
        expect((await as('GET', '')).body).toEqual({ sessions: [], count: 0 });
        // A plan of another user that names this session does not belong to it.
        const plan = { plan_id: `${id}-theirs`, goal_event: 'g', session_id: id };
        await server().call({ method: 'POST', path: '/v1/memory/plans', body: plan, token });
      }
      expect((await get(`/${id}`)).body).toMatchObject({ name: 'mine', plans: [] });
    });

    it('lets only a service act for another user', async () => {
      const id = newSession();
      const service = await server().token({ user: 'robot', roles: ['service'] });
      expect((await post({ session_id: id, user_id: 'u1' }, service)).status).toBe(201);
      const { body: created } = await get(`/${id}?user_id=u1`, service);
      await sleep(5);
      const as = (token: string, body: unknown) => server().call({ method: 'PUT', path: `${root}/${id}`, body, token });
      expect((await as(service, { user_id: 'u1' })).body.last_interaction > created.last_interaction).toBe(true);
      expectProblem(await as(service, {}), 'NOT_FOUND');
      expectProblem(await as(await server().token({ user: 'u2' }), { user_id: 'u1' }), 'FORBIDDEN');
    });
  });
});

describeEachDatabase('session queries', (database) => {
  const running = useExplainedEngine(database);

  it('uses an index with thousands of sessions', async () => {
    await seedRows(
      running(),
      ['sessions'],
      `INSERT INTO memhall.sessions
       SELECT 't1', 'u' || n % 7, 's-' || n, NULL, NULL, '{}', 'e', now(), now() - n * interval '1 second'
       FROM generate_series(1, 5000) n`,
    );
    const page = { limit: 20, cursor: undefined };
    const first = await running().explain(callerOf('u0'), 'sessions', (engine, own) => listSessions(engine, own, page));
    expect(first.result.items[0]?.sessionId).toBe('s-7');
    const next = await running().explain(callerOf('u0'), 'sessions', (engine, own) =>
      listSessions(engine, own, { ...page, cursor: first.result.nextCursor }),
    );
    for (const { plan } of [first, next]) {
      expect(plan).toContain('sessions_order');
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });
});
