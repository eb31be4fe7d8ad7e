import { describe, expect, it } from 'vitest';
import { scopeOf } from '../src/engine/caller.js';
import { browseMemories } from '../src/engine/memories/browse-memories.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { recentMemories } from '../src/engine/memories/recent-memories.js';
import type { Tables } from '../src/ports/store.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { seedRows, useExplainedEngine } from './support/explain.js';
import { type Answer, type Call, useServer } from './support/server.js';

const root = '/v1/memory';

describeOneDatabase('lists of memories', (database) => {
  const server = useServer(database);

  /** Returns calls as a user of a tenant that no other test uses. */
  async function users(tenant: string) {
    const as = async (user: string, roles: 'service'[] = []) => {
      const token = await server().token({ tenant, user, roles });
      return (method: string, path: string, body?: unknown) =>
        server().call({ method, path: `${root}${path}`, token, ...(body === undefined ? {} : { body }) } as Call);
    };
    return { ann: await as('ann'), bob: await as('bob'), robot: await as('robot', ['service']) };
  }

  const contentsOf = ({ body }: Answer) => body.entries.map(({ content }: { content: string }) => content);

  /** Returns the contents of all pages. */
  async function allPages(get: (path: string) => Promise<Answer>, path: string): Promise<string[]> {
    const contents: string[] = [];
    for (let cursor = ''; ; ) {
      const answer = await get(`${path}${cursor}`);
      expect(answer.status).toBe(200);
      expect(answer.body.count).toBe(answer.body.entries.length);
      contents.push(...contentsOf(answer));
      if (answer.body.next_cursor === undefined) return contents;
      cursor = `&cursor=${answer.body.next_cursor}`;
    }
  }

  describe('of knowledge', () => {
    it('have the entries of the user and the public ones of the tenant, newest first, page by page', async () => {
      const { ann, bob } = await users('lists-1');
      const store = (call: typeof ann, content: string, rest: object = {}) =>
        call('POST', '/semantic', { content, ...rest });
      await store(ann, 'one', { tags: ['a', 'b'], source: 'wiki', plan_id: 'p1', session_id: 's1' });
      await store(bob, 'public by Bob', { is_public: true, tags: ['a'] });
      await store(bob, 'private of Bob');
      await store(ann, 'two', { plan_id: 'p2', tags: ['Å'] });
      await store(ann, 'public by Ann', { is_public: true, source: 'wiki' });
      await ann('POST', '/procedural', { agent_id: 'x', procedure_type: 'skill', content: 'a skill' });
      await ann('POST', '/episodic', { agent_id: 'x', role: 'user', content: 'a turn' });

      const list = async (query: string) => contentsOf(await ann('GET', `/semantic?${query}`));
      const all = ['public by Ann', 'two', 'public by Bob', 'one'];
      expect(await list('')).toEqual(all);
      expect(await allPages((path) => ann('GET', path), '/semantic?limit=1')).toEqual(all);
      expect(await list('include_public=false')).toEqual(['two', 'one']);
      expect(await list('tag=a')).toEqual(['public by Bob', 'one']);
      expect(await list(`tag=${encodeURIComponent('A\u030a')}`)).toEqual(['two']);
      expect(await list('source=wiki')).toEqual(['public by Ann', 'one']);
      expect(await list('source=wiki&tag=b')).toEqual(['one']);
      expect(await list('plan_id=p1')).toEqual(['one']);
      expect(await list('session_id=s1')).toEqual(['one']);
      expect(await list('session_id=s10')).toEqual([]);
      expect(await list('created_after=2100-01-01T00:00:00Z')).toEqual([]);
      expect(await list('created_before=2100-01-01T00:00:00Z&include_public=false')).toEqual(['two', 'one']);
      const [entry] = (await ann('GET', '/semantic?plan_id=p1')).body.entries;
      expect((await ann('GET', `/semantic/${entry.id}`)).body).toEqual(entry);
      expect(entry).not.toHaveProperty('score');
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'tag=', 'plan_id=a%20b', 'created_after=yesterday'])(
      'reject %s',
      async (query) => {
        expectProblem(await server().call({ path: `${root}/semantic?${query}` }), 'INVALID_REQUEST');
      },
    );

    it('reject an unknown filter', async () => {
      expectProblem(await server().call({ path: `${root}/semantic?tags=a` }), 'UNKNOWN_FIELD');
      expectProblem(await server().call({ method: 'DELETE', path: `${root}/semantic?tags=a` }), 'UNKNOWN_FIELD');
    });

    it('can be deleted by filter, without what is public or of others', async () => {
      const { ann, bob, robot } = await users('lists-2');
      for (const [call, content, rest] of [
        [ann, 'one', { plan_id: 'p' }],
        [ann, 'two', { plan_id: 'p', tags: ['t'] }],
        [ann, 'three', { tags: ['t'] }],
        [ann, 'shared', { plan_id: 'p', is_public: true }],
        [bob, 'his', { plan_id: 'p' }],
      ] as const) {
        await call('POST', '/semantic', { content, ...rest });
      }
      await ann('POST', '/episodic', { agent_id: 'x', role: 'user', content: 'a turn' });
      expectProblem(await ann('DELETE', '/semantic'), 'INVALID_REQUEST');
      expectProblem(await robot('DELETE', '/semantic?user_id=ann'), 'INVALID_REQUEST');
      expectProblem(await bob('DELETE', '/semantic?user_id=ann&plan_id=p'), 'FORBIDDEN');
      expect((await ann('DELETE', '/semantic?plan_id=p&tag=t')).body).toEqual({ deleted_count: 1 });
      expect((await robot('DELETE', '/semantic?plan_id=p&user_id=ann')).body).toEqual({ deleted_count: 1 });
      expect((await ann('DELETE', '/semantic?plan_id=p')).body).toEqual({ deleted_count: 0 });
      expect(contentsOf(await ann('GET', '/semantic'))).toEqual(['shared', 'three']);
      expect(contentsOf(await bob('GET', '/semantic'))).toEqual(['his', 'shared']);
      expect(contentsOf(await ann('GET', '/semantic/query?q=one+two'))).toEqual([]);
      expect((await ann('GET', '/episodic/recent?agent_id=x')).body.count).toBe(1);
    });
  });

  describe('of knowledge with an external id', () => {
    it('are read and deleted by it; visibility is part of the key', async () => {
      const { ann, bob } = await users('lists-3');
      const path = (id: string, rest = '') => `/semantic/by-external-id?external_id=${encodeURIComponent(id)}${rest}`;
      const ids = ['doc-1', '..', 'a/b?c#d', 'é', 'x'.repeat(255)];
      for (const id of ids) {
        await ann('POST', '/semantic', { content: `about ${id}`, external_id: id });
        expect((await ann('GET', path(id))).body).toMatchObject({ external_id: id, content: `about ${id}` });
        expectProblem(await bob('GET', path(id)), 'NOT_FOUND');
        expectProblem(await bob('DELETE', path(id)), 'NOT_FOUND');
      }
      expect((await ann('GET', path('e\u0301'))).body.external_id).toBe('é');
      await ann('POST', '/semantic', { content: 'for all', external_id: 'doc-1', is_public: true });
      expect((await bob('GET', path('doc-1', '&is_public=true'))).body.content).toBe('for all');
      expectProblem(await bob('DELETE', path('doc-1', '&is_public=true')), 'FORBIDDEN');
      for (const id of ids) {
        expect((await ann('DELETE', path(id))).status).toBe(204);
        expectProblem(await ann('DELETE', path(id)), 'NOT_FOUND');
        expectProblem(await ann('GET', path(id)), 'NOT_FOUND');
      }
      expect((await bob('GET', path('doc-1', '&is_public=true'))).status).toBe(200);
      expect((await ann('DELETE', path('doc-1', '&is_public=true'))).status).toBe(204);
      expectProblem(await ann('GET', path('doc-1', '&is_public=true')), 'NOT_FOUND');
      expectProblem(await ann('GET', '/semantic/by-external-id'), 'INVALID_REQUEST');
      expectProblem(await ann('GET', path('x'.repeat(256))), 'INVALID_REQUEST');
    });
  });

  describe('of procedures', () => {
    it('are filtered by agent and type, page by page, and deleted by agent', async () => {
      const { ann, bob } = await users('lists-5');
      const store = (call: typeof ann, agent_id: string, procedure_type: string, content: string) =>
        call('POST', '/procedural', { agent_id, procedure_type, content });
      await store(ann, 'coder', 'skill', 'one');
      await store(ann, 'writer', 'skill', 'two');
      await store(ann, 'coder', 'system_prompt', 'three');
      await store(bob, 'coder', 'skill', 'his');
      const list = async (query: string) => contentsOf(await ann('GET', `/procedural?${query}`));
      expect(await list('')).toEqual(['three', 'two', 'one']);
      expect(await allPages((path) => ann('GET', path), '/procedural?limit=2')).toEqual(['three', 'two', 'one']);
      expect(await list('agent_id=coder')).toEqual(['three', 'one']);
      expect(await list('agent_id=coder&procedure_type=skill')).toEqual(['one']);
      expectProblem(await ann('GET', '/procedural?procedure_type=habit'), 'INVALID_REQUEST');
      expectProblem(await ann('GET', '/procedural?limit=101'), 'INVALID_REQUEST');
      expectProblem(await ann('DELETE', '/procedural'), 'INVALID_REQUEST');
      expect((await ann('DELETE', '/procedural?agent_id=coder&procedure_type=skill')).body).toEqual({
        deleted_count: 1,
      });
      expect((await ann('DELETE', '/procedural?agent_id=coder')).body).toEqual({ deleted_count: 1 });
      expect(await list('')).toEqual(['two']);
      expect(contentsOf(await bob('GET', '/procedural'))).toEqual(['his']);
    });
  });

  describe('of interactions', () => {
    it('go past a hundred, with equal times in the order of sending', async () => {
      const { ann, bob } = await users('lists-6');
      const early = '2026-01-01T00:00:00.000Z';
      const entries = Array.from({ length: 250 }, (_, n) => ({
        agent_id: 'guide',
        role: 'user',
        content: `turn ${n}`,
        // Three groups with equal times; the last one happened before the others.
        occurred_at: n < 100 ? '2026-02-01T00:00:00.000Z' : n < 200 ? '2026-03-01T00:00:00.000Z' : early,
        session_id: n % 2 === 0 ? 'even' : 'odd',
      }));
      await ann('POST', '/episodic', { entries });
      await bob('POST', '/episodic', entries[0]);
      const turns = (numbers: number[]) => numbers.map((n) => `turn ${n}`);
      const down = (from: number, to: number) => Array.from({ length: from - to }, (_, n) => from - 1 - n);
      const order = [...down(200, 100), ...down(100, 0), ...down(250, 200)];
      const get = (path: string) => ann('GET', path);
      expect(await allPages(get, '/episodic/recent?agent_id=guide&limit=100')).toEqual(turns(order));
      expect(await allPages(get, '/episodic/recent?agent_id=guide&limit=37&session_id=odd')).toEqual(
        turns(order.filter((n) => n % 2 === 1)),
      );
      expect((await get('/episodic/recent?agent_id=guide')).body).toMatchObject({ count: 10 });
      expectProblem(await get('/episodic/recent?agent_id=guide&cursor=x'), 'INVALID_REQUEST');
      const forged = Buffer.from('["999999999999999999","1"]').toString('base64url');
      expectProblem(await get(`/episodic/recent?agent_id=guide&cursor=${forged}`), 'INVALID_REQUEST');
    });

    it('are read and deleted one by one', async () => {
      const { ann, bob, robot } = await users('lists-7');
      const log = async (content: string) =>
        (await ann('POST', '/episodic', { agent_id: 'guide', role: 'tool', content })).body;
      const [wrong, right] = [await log('The ferry leaves at noon.'), await log('The ferry leaves at one.')];
      expect((await ann('GET', `/episodic/${wrong.id}`)).body).toEqual(wrong);
      expectProblem(await bob('GET', `/episodic/${wrong.id}`), 'NOT_FOUND');
      expectProblem(await bob('DELETE', `/episodic/${wrong.id}`), 'NOT_FOUND');
      expectProblem(await ann('DELETE', `/semantic/${wrong.id}`), 'NOT_FOUND');
      expect((await robot('GET', `/episodic/${wrong.id}?user_id=ann`)).status).toBe(200);
      expect((await ann('DELETE', `/episodic/${wrong.id}`)).status).toBe(204);
      expectProblem(await ann('DELETE', `/episodic/${wrong.id}`), 'NOT_FOUND');
      expectProblem(await ann('GET', `/episodic/${wrong.id}`), 'NOT_FOUND');
      const found = await ann('GET', '/episodic/search?agent_id=guide&q=ferry');
      expect(found.body.entries.map(({ id }: { id: string }) => id)).toEqual([right.id]);
    });
  });
});

describeOneDatabase('listing memories', (database) => {
  const running = useExplainedEngine(database);

  it('uses indexes with thousands of memories', async () => {
    await seedRows(
      running(),
      ['memories'],
      `INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, external_id, agent_id,
         occurred_at, created_at, updated_at, analysis, terms, term_count, traits)
       SELECT 't1', 'm' || n, 'u' || n % 3, CASE WHEN n % 100 < 3 THEN 'semantic' ELSE 'episodic' END, 'c', 'h' || n,
         'e' || n, 'a' || n % 5, now() - n * interval '1 s', now(), now(), 'x', '', 0, 0
       FROM generate_series(1, 6000) n`,
    );
    const list = (cursor?: string) => {
      const filter = { kinds: ['semantic'] };
      return running().explain(callerOf('u1'), 'memories', (engine, caller) =>
        listMemories(engine, caller, { scope: { own: true, public: true }, filter, limit: 10, cursor }),
      );
    };
    const first = await list();
    const second = await list(first.result.nextCursor);
    for (const { result, plan } of [first, second]) {
      expect(result.items).toHaveLength(10);
      expect(plan).toContain('memories_kind');
      expect(plan).not.toContain('Seq Scan on memories');
    }
    const recent = (cursor?: string) =>
      running().explain(callerOf('u1'), 'memories', (engine, caller) =>
        recentMemories(engine, caller, { kind: 'episodic', agentId: 'a1' }, { limit: 10, cursor }),
      );
    const page = await recent();
    for (const { result, plan } of [page, await recent(page.result.nextCursor)]) {
      expect(result.items).toHaveLength(10);
      expect(plan).toContain('memories_recent');
      expect(plan).not.toContain('Sort');
    }
  });

  it('of a namespace by their dates uses an index', async () => {
    await seedRows(
      running(),
      ['memories', 'namespaces'],
      `INSERT INTO memhall.namespaces (tenant_id, name, kind, created_at)
       SELECT 't1', 'team:' || n, 'team', now() FROM generate_series(0, 2) n;
       INSERT INTO memhall.memories (tenant_id, id, user_id, namespace, kind, content, content_hash,
         occurred_at, created_at, updated_at, analysis, terms, term_count, traits)
       SELECT 't1', 'n' || n, 'u1', 'team:' || n % 3, 'fact', 'c', 'h' || n, now(),
         now() - (n * 7919 % 6000) * interval '1 s', now(), 'x', '', 0, 0
       FROM generate_series(1, 6000) n`,
    );
    const member = callerOf('u1', 't1', ['team:1', 'team:2']);
    const { result, plan } = await running().explain(member, 'memories', (engine, caller) =>
      browseMemories(engine, caller, { scope: { namespaces: ['team:1', 'team:2'] }, filter: {}, limit: 10 }),
    );
    const dates = result.map(({ createdAt }) => createdAt.getTime());
    expect(dates).toHaveLength(10);
    expect(dates).toEqual([...dates].sort((a, b) => b - a));
    expect(plan).toContain('memories_created');
    expect(plan).not.toContain('Seq Scan on memories');
  });

  /** A database that has just been filled has no statistics, and then every index of a partition looks the same to the planner. */
  it('of sessions and by numbers of arrival uses their indexes, also without statistics', async () => {
    const { engine, database } = running();
    const caller = callerOf('u1', 't2');
    await database.pool.query('ALTER TABLE memhall.memories SET (autovacuum_enabled = false)');
    await seedRows(
      running(),
      [],
      `INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, session_id,
         occurred_at, created_at, updated_at, analysis, terms, term_count, traits)
       SELECT 't2', 's' || n, 'u1', 'episodic', 'c', 'h' || n, 's' || n % 500, now(), now(), now(), 'x', '', 0, 0
       FROM generate_series(1, 6000) n;
       DELETE FROM pg_statistic WHERE starelid = 'memhall.memories'::regclass`,
    );
    const own = { kind: 'user', userId: 'u1' } as const;
    const filter = { kinds: ['episodic', 'event'] };
    const read = <T>(work: (tables: Tables) => Promise<T>) =>
      running().explain(caller, 'memories', () => engine.store.read(scopeOf(caller), work));

    const sessions = await read(({ memories }) => memories.sessions(own, filter, { after: 's1', limit: 10 }));
    expect(sessions.result.slice(0, 2).map(({ id, seqs }) => [id, seqs.length])).toEqual([
      ['s10', 12],
      ['s100', 12],
    ]);
    expect(indexesIn(sessions.plan)).toEqual(['memories_session', 'memories_session']);

    const seqs = sessions.result[0]?.seqs.toReversed() ?? [];
    const ids = Array.from({ length: 12 }, (_, turn) => `s${500 * (11 - turn) + 10}`);
    const inSession = { ...filter, sessionIds: ['s10'] };
    const arrived = await read(({ memories }) => memories.arrivedAs(own, inSession, { seqs, now: new Date() }));
    expect(arrived.result.map(({ id }) => id)).toEqual(ids);
    expect(indexesIn(arrived.plan)).toEqual(['memories_order']);

    const fetched = await read(({ memoryIndex }) => memoryIndex.fetch(own, seqs));
    expect(seqs.map((seq) => fetched.result.get(seq)?.memory.id)).toEqual(ids);
    expect(indexesIn(fetched.plan)).toEqual(['memories_order']);
  });
});

function indexesIn(plan: string): string[] {
  return [...plan.matchAll(/Scan (?:using|on) (memories_\w+)/g)].map(([, name]) => name ?? '');
}
