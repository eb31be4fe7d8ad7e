import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Call, useServer } from './support/server.js';

let people = 0;

describeOneDatabase('semantic memory', (database) => {
  const server = useServer(database, { embedder: 'local' });

  /** Returns the calls of a user that no other test uses. */
  async function newUser(inTenant?: string) {
    people += 1;
    const user = `user-${people}`;
    const tenant = inTenant ?? `tenant-${people}`;
    const token = await server().token({ user, tenant });
    const call = (rest: Call) => server().call({ token, ...rest, path: `/v1/memory/semantic${rest.path}` });
    return {
      user,
      tenant,
      call,
      store: (body: unknown) => call({ method: 'POST', path: '', body }),
      query: (body: unknown) => call({ method: 'POST', path: '/query', body }),
    };
  }

  it('stores private knowledge and returns the whole entry', async () => {
    const me = await newUser();
    const sent = {
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      metadata: { version: 'v1', nested: { a: [1] }, 'odd\nname': true },
      tags: ['ops'],
      source: 'docs',
      plan_id: 'p1',
      session_id: 's'.repeat(256),
    };
    const { status, body } = await me.store(sent);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...sent, tenant_id: me.tenant, user_id: me.user, is_public: false });
    expect(body.content_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(body)).toEqual([
      ...['id', 'tenant_id', 'user_id', 'content', 'external_id', 'is_public', 'metadata', 'tags', 'source', 'plan_id'],
      ...['session_id', 'content_hash', 'created_at', 'updated_at'],
    ]);
    expect((await me.call({ path: `/${body.id}` })).body).toEqual(body);
  });

  it('updates content and embedding in place by external_id', async () => {
    const me = await newUser();
    const first = await me.store({ content: 'The cat sleeps.', external_id: 'e' });
    await sleep(5);
    const second = await me.store({ content: 'Rockets need oxygen.', external_id: 'e' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ id: first.body.id, created_at: first.body.created_at });
    expect(second.body.updated_at > first.body.updated_at).toBe(true);
    expect((await me.query({ query: 'feline nap' })).body.entries).toEqual([]);
    expect((await me.query({ query: 'spaceship propulsion' })).body.count).toBe(1);
  });

  it('replaces metadata and accepts the caller’s own user_id in the body', async () => {
    const me = await newUser();
    const version = (name: string) => ({
      content: `Text of ${name}`,
      external_id: 'doc',
      metadata: { version: name },
      user_id: me.user,
    });
    await me.store(version('v1'));
    const { status, body } = await me.store(version('v2'));
    expect(status).toBe(200);
    expect(body.metadata).toEqual({ version: 'v2' });
    const found = await me.query({ query: 'text', user_id: me.user, filters: { metadata: { version: 'v1' } } });
    expect(found.body.count).toBe(0);
  });

  it('stores the same content only once', async () => {
    const me = await newUser();
    const [a, b] = [await me.store({ content: 'once' }), await me.store({ content: 'once', tags: ['again'] })];
    expect([a.status, b.status]).toEqual([201, 200]);
    expect(b.body).toMatchObject({ id: a.body.id, tags: ['again'] });
  });

  it('allows the same content under two external_ids', async () => {
    const me = await newUser();
    const a = await me.store({ content: 'alpha', external_id: 'a' });
    await me.store({ content: 'beta', external_id: 'b' });
    const b = await me.store({ content: 'alpha', external_id: 'b' });
    expect(b.status).toBe(200);
    expect(b.body.id).not.toBe(a.body.id);
    expect((await me.query({ query: 'alpha' })).body.count).toBe(2);
  });

  it('shows public knowledge of the tenant together with the user’s own', async () => {
    const [alice, bob, eve] = [await newUser('t1'), await newUser('t1'), await newUser('t2')];
    const shared = await alice.store({ content: 'API design: use nouns for zucchini resources.', is_public: true });
    await bob.store({ content: 'My private zucchini recipe.' });
    expect((await bob.query({ query: 'zucchini' })).body.count).toBe(2);
    expect((await bob.query({ query: 'zucchini', include_public: false })).body.count).toBe(1);
    expect(
      (await alice.query({ query: 'zucchini' })).body.entries.map((one: { user_id: string }) => one.user_id),
    ).toEqual([alice.user]);
    expect((await eve.query({ query: 'zucchini' })).body.count).toBe(0);
    expect((await bob.call({ path: `/${shared.body.id}` })).status).toBe(200);
    expect((await eve.call({ path: `/${shared.body.id}` })).status).toBe(404);
    expect((await bob.call({ method: 'DELETE', path: `/${shared.body.id}` })).status).toBe(403);
    expect((await alice.call({ method: 'DELETE', path: `/${shared.body.id}` })).status).toBe(204);
  });

  it('lets only the author replace public knowledge', async () => {
    const [alice, bob] = [await newUser('t3'), await newUser('t3')];
    const key = { external_id: `shared-${people}`, is_public: true };
    await alice.store({ content: 'held by alice', ...key });
    expect((await bob.store({ content: 'bob wants it', ...key })).status).toBe(403);
    const text = `same public words ${people}`;
    const first = await alice.store({ content: text, is_public: true });
    const second = await bob.store({ content: text, is_public: true, tags: ['bob'] });
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect((await bob.store({ content: text })).status).toBe(201);
  });

  it('returns 404 for an entry of another user', async () => {
    const [alice, bob] = [await newUser('t3'), await newUser('t3')];
    const { body } = await alice.store({ content: 'private to alice' });
    const [foreign, missing] = [await bob.call({ path: `/${body.id}` }), await bob.call({ path: '/nothing-here' })];
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body.error, request_id: '' }).toEqual({ ...missing.body.error, request_id: '' });
    expect((await bob.call({ method: 'DELETE', path: `/${body.id}` })).status).toBe(404);
    expect((await alice.call({ method: 'DELETE', path: `/${body.id}` })).status).toBe(204);
    expect((await alice.call({ method: 'DELETE', path: `/${body.id}` })).status).toBe(404);
    expect((await alice.query({ query: 'private', include_public: false })).body.entries).toEqual([]);
  });

  describe('query', () => {
    it('returns only matching entries with scores, best first', async () => {
      const me = await newUser();
      for (const content of ['Bread is baked at dawn.', 'The bakery opens at six.', 'Tax law changed.'])
        await me.store({ content });
      const { status, body } = await me.query({ query: 'baking bread' });
      expect(status).toBe(200);
      expect(body.count).toBe(body.entries.length);
      expect(body.entries[0]).toMatchObject({ content: 'Bread is baked at dawn.', score: expect.any(Number) });
      expect(body.entries.map((entry: { content: string }) => entry.content)).not.toContain('Tax law changed.');
      expect((await me.query({ query: 'baking bread', top_k: 1 })).body.count).toBe(1);
      const simple = await me.call({ path: `/query?q=${encodeURIComponent('baking bread')}&top_k=1` });
      expect(simple.body.entries).toEqual(body.entries.slice(0, 1));
    });

    it('filters by every field of the contract', async () => {
      const me = await newUser();
      const a = await me.store({
        content: 'report one',
        tags: ['x'],
        source: 'mail',
        metadata: { team: 'red', n: { m: 1 } },
      });
      await sleep(10);
      const b = await me.store({ content: 'report two', tags: ['y'], plan_id: 'p', session_id: 's' });
      const ids = async (filters: unknown) =>
        (await me.query({ query: 'report', filters })).body.entries.map((entry: { id: string }) => entry.id).sort();
      const both = [a.body.id, b.body.id].sort();
      expect(await ids({})).toEqual(both);
      expect(await ids({ tags: ['x', 'z'] })).toEqual([a.body.id]);
      expect(await ids({ source: 'mail' })).toEqual([a.body.id]);
      expect(await ids({ metadata: { n: { m: 1 } } })).toEqual([a.body.id]);
      expect(await ids({ plan_id: 'p', session_id: 's' })).toEqual([b.body.id]);
      expect(await ids({ created_after: a.body.created_at })).toEqual([b.body.id]);
      expect(await ids({ created_before: b.body.created_at })).toEqual([a.body.id]);
      expect(await ids({ created_after: '2999-01-01T00:00:00+02:00' })).toEqual([]);
    });

    it('accepts only an embedding of the right length', async () => {
      const me = await newUser();
      await me.store({ content: 'anything' });
      const wrong = await me.query({ query_embedding: [0.1, 0.2] });
      expect(wrong.status).toBe(422);
      expect(wrong.body.error).toMatchObject({
        code: 'EMBEDDING_DIMENSION_MISMATCH',
        details: { expected: 384, received: 2 },
      });
      expect((await me.query({ query_embedding: Array.from({ length: 384 }, (_, i) => Math.sin(i)) })).status).toBe(
        200,
      );
    });

    it.each([
      [{}, /to search for/],
      [{ query: '' }, /must not be empty/],
      [{ query: ' ' }, /blank/],
      [{ query: 'x', top_k: 0 }, /at least 1/],
      [{ query: 'x', top_k: 101 }, /at most 100/],
      [{ query: 'x', top_k: '5' }, /whole number/],
      [{ query: 'x', filters: { created_after: 'yesterday' } }, /match/],
      [{ query: 'x', filters: { created_after: '2024-13-01T00:00:00Z' } }, /not an existing date and time/],
      [{ query: 'x', filters: { color: 'red' } }, /Unknown field "filters.color"/],
    ])('rejects the query %j', async (body, message) => {
      const answer = await (await newUser()).query(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(message);
    });
  });

  it.each([
    [{}, 400],
    [{ content: '' }, 400],
    [{ content: '   ' }, 400],
    [{ content: 'x', external_id: 'e'.repeat(256) }, 400],
    [{ content: 'x', plan_id: 'p'.repeat(101) }, 400],
    [{ content: 'x', session_id: 's'.repeat(257) }, 400],
    [{ content: 'x', tags: 'a' }, 400],
    [{ content: 'x', metadata: [] }, 400],
    [{ content: 'x', is_public: 'yes' }, 400],
    [{ content: 'x', user_id: 'somebody-else' }, 403],
  ])('rejects the entry %j', async (body, status) => {
    expect((await (await newUser()).store(body)).status).toBe(status);
  });

  it('lets a service store, query and delete for a user', async () => {
    const me = await newUser();
    const token = await server().token({ tenant: me.tenant, user: 'robot', roles: ['service'] });
    const path = '/v1/memory/semantic';
    const stored = await server().call({
      method: 'POST',
      path,
      token,
      body: { content: 'told by the robot', user_id: me.user },
    });
    expect(stored.body.user_id).toBe(me.user);
    expect((await me.query({ query: 'robot' })).body.count).toBe(1);
    expect((await server().call({ path: `${path}/query?q=robot&user_id=${me.user}`, token })).body.count).toBe(1);
    expect(
      (await server().call({ method: 'DELETE', path: `${path}/${stored.body.id}?user_id=${me.user}`, token })).status,
    ).toBe(204);
  });
});
