import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { sendRaw } from './support/raw-http.js';
import { type Call, send, useServer } from './support/server.js';

describeOneDatabase('memory plugin v1', (database) => {
  const server = useServer(database, { embedder: 'local', pluginPort: '0' });
  const call = (request: Call) => send(server().pluginUrl ?? '', request);
  const newName = (kind = 'workspace') => `${kind}:${randomUUID()}`;
  const at = (name: string, rest = '') => `/v1/namespaces/${encodeURIComponent(name)}${rest}`;

  async function newNamespace(body: Record<string, unknown> = {}): Promise<string> {
    const name = newName();
    const made = await call({ method: 'PUT', path: at(name), body: { kind: 'workspace', ...body } });
    expect(made.status).toBe(200);
    return name;
  }

  const commit = (name: string, memory: Record<string, unknown>) =>
    call({ method: 'POST', path: at(name, '/memories'), body: { kind: 'fact', source: 'agent', ...memory } });

  async function search(body: Record<string, unknown>) {
    const answer = await call({ method: 'POST', path: '/v1/search', body });
    expect(answer.status).toBe(200);
    return answer.body.memories;
  }

  it('reports its capabilities', async () => {
    const { status, body } = await call({ path: '/v1/health' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      version: '1',
      capabilities: ['embedding', 'fts', 'ttl', 'pin', 'propagation'],
    });
  });

  it('finds a memory by id only in the requested namespaces and kinds', async () => {
    const [here, elsewhere] = [await newNamespace(), await newNamespace()];
    const { id } = (await commit(here, { content: '🚀' })).body;
    const ids = async (body: Record<string, unknown>) => (await search(body)).map((found: { id: string }) => found.id);
    expect(await ids({ namespaces: [here, elsewhere], query: id.toUpperCase() })).toEqual([id]);
    expect(await ids({ namespaces: [elsewhere], query: id })).toEqual([]);
    expect(await ids({ namespaces: [here], query: id, kinds: ['summary'] })).toEqual([]);
    expect(await ids({ namespaces: [here], query: randomUUID() })).toEqual([]);
  });

  describe('namespaces', () => {
    it('creates, repeats, changes, replaces and deletes namespaces', async () => {
      const name = newName();
      const body = { kind: 'team', expires_at: '2999-01-01T00:00:00Z', metadata: { a: 1 } };
      const made = await call({ method: 'PUT', path: at(name), body });
      expect(made.body).toEqual({
        name,
        kind: 'team',
        expires_at: '2999-01-01T00:00:00.000Z',
        metadata: { a: 1 },
        created_at: expect.stringMatching(/Z$/),
      });
      expect((await call({ method: 'PUT', path: at(name), body })).body).toEqual(made.body);
      const cleared = await call({ method: 'PATCH', path: at(name), body: { expires_at: null, metadata: {} } });
      expect(cleared.body).toEqual({ name, kind: 'team', created_at: made.body.created_at });
      const replaced = await call({ method: 'PUT', path: at(name), body: { kind: 'custom', unknown: 1 } });
      expect(replaced.body).toEqual({ name, kind: 'custom', created_at: made.body.created_at });
      expect((await call({ method: 'DELETE', path: at(name) })).status).toBe(204);
      expect(await call({ method: 'DELETE', path: at(name) })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
      expect((await call({ method: 'PATCH', path: at(name), body: { metadata: {} } })).status).toBe(404);
    });

    it.each(['workspace', 'Workspace:x', 'workspace:', 'work space:x', ':x', 'workspace:a/b', `w:${'x'.repeat(255)}`])(
      'rejects the name %j on every call',
      async (name) => {
        const answers = [
          await call({ method: 'PUT', path: at(name), body: { kind: 'team' } }),
          await call({ method: 'PATCH', path: at(name), body: { metadata: {} } }),
          await call({ method: 'DELETE', path: at(name) }),
          await commit(name, { content: 'x' }),
          await call({ method: 'POST', path: '/v1/search', body: { namespaces: [name] } }),
        ];
        for (const { status, body } of answers) {
          expect(status).toBe(400);
          expect(body.code).toBe('bad_request');
        }
      },
    );

    it('requires a known kind and at least one change', async () => {
      expect((await call({ method: 'PUT', path: at(newName()), body: { kind: 'galaxy' } })).status).toBe(400);
      expect((await call({ method: 'PUT', path: at(newName()), body: {} })).status).toBe(400);
      const name = await newNamespace();
      expect((await call({ method: 'PATCH', path: at(name), body: {} })).status).toBe(400);
    });
  });

  describe('memories', () => {
    it('returns memories as they were written', async () => {
      const name = await newNamespace();
      const memory = {
        content: 'The harbour opens at six.',
        kind: 'summary',
        source: 'runtime',
        expires_at: '2999-01-01T00:00:00.000Z',
        propagation: { hops: [1, { b: null }] },
        pin: true,
      };
      const written = await commit(name, memory);
      expect(written.status).toBe(201);
      expect(written.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), namespace: name });
      const [found] = await search({ namespaces: [name], query: 'harbour' });
      expect(found).toEqual({
        ...memory,
        id: written.body.id,
        namespace: name,
        created_at: expect.any(String),
        score: expect.any(Number),
      });
    });

    it('replaces every field by id and keeps the creation time', async () => {
      const name = await newNamespace();
      const id = randomUUID();
      await commit(name, { id, content: 'first', pin: true, propagation: { a: 1 } });
      const [first] = await search({ namespaces: [name] });
      await sleep(5);
      expect((await commit(name, { id, content: 'second', kind: 'checkpoint', source: 'user' })).status).toBe(201);
      const [second, ...others] = await search({ namespaces: [name] });
      expect(others).toEqual([]);
      const { created_at } = first;
      expect(second).toEqual({
        id,
        namespace: name,
        content: 'second',
        kind: 'checkpoint',
        source: 'user',
        created_at,
      });
    });

    it('rejects writes and deletions of a memory from another namespace', async () => {
      const [here, there] = [await newNamespace(), await newNamespace()];
      const { body } = await commit(there, { content: 'mine' });
      const taken = await commit(here, { id: body.id, content: 'yours' });
      expect(taken).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const forget = (id: string, name: string) =>
        call({ method: 'DELETE', path: `/v1/memories/${id}`, body: { requested_by_namespace: name } });
      expect((await forget(body.id, here)).status).toBe(403);
      expect((await search({ namespaces: [there] }))[0].content).toBe('mine');
      expect((await forget(body.id, there)).status).toBe(204);
      expect((await forget(body.id, there)).status).toBe(404);
      expect(await search({ namespaces: [there], query: 'mine' })).toEqual([]);
    });

    it.each([
      [{ content: '' }],
      [{ content: '  \n' }],
      [{ content: 'x', kind: 'poem' }],
      [{ content: 'x', source: 'robot' }],
      [{ content: 'x', id: 'not-a-uuid' }],
      [{ content: 'x', pin: 'yes' }],
      [{ content: 'x', embedding: [1, 2] }],
      [{ content: 'x', expires_at: 'soon' }],
    ])('rejects the memory %j', async (memory) => {
      const name = await newNamespace();
      const answer = await commit(name, memory);
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } });
      expect(await search({ namespaces: [name] })).toEqual([]);
    });

    it('rejects a missing namespace', async () => {
      expect(await commit(newName(), { content: 'x' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    it('gives each of a hundred concurrent memories its own id', async () => {
      const name = await newNamespace();
      const written = await Promise.all(
        Array.from({ length: 100 }, (_, index) => commit(name, { content: `number ${index}` })),
      );
      expect(new Set(written.map(({ body }) => body.id)).size).toBe(100);
      expect(await search({ namespaces: [name], limit: 100 })).toHaveLength(100);
    });
  });

  describe('search', () => {
    it('matches any word and returns pinned memories first', async () => {
      const name = await newNamespace();
      await commit(name, { content: 'Boats leave the harbour at dawn.' });
      await commit(name, { content: 'The harbour master knows all boats of the harbour.' });
      await commit(name, { content: 'Nothing about the sea.' });
      await commit(name, { content: 'An old boat.', pin: true });
      const found = await search({ namespaces: [name], query: 'harbour boats zebra' });
      expect(found[0].content).toBe('An old boat.');
      expect(found.map(({ content }: { content: string }) => content)).toContain('Boats leave the harbour at dawn.');
      for (const { score } of found) expect(score).toBeGreaterThan(0);
    });

    it('returns pinned, then newest memories without a query', async () => {
      const name = await newNamespace();
      for (const content of ['one', 'two', 'three']) await commit(name, { content, pin: content === 'one' });
      const found = await search({ namespaces: [name] });
      expect(found.map(({ content }: { content: string }) => content)).toEqual(['one', 'three', 'two']);
      expect(found[0]).not.toHaveProperty('score');
      expect(await search({ namespaces: [name], limit: 1 })).toHaveLength(1);
    });

    it('searches several namespaces by kind and ignores missing ones', async () => {
      const [one, two] = [await newNamespace(), await newNamespace()];
      await commit(one, { content: 'apples', kind: 'fact' });
      await commit(two, { content: 'apples too', kind: 'summary' });
      const both = await search({ namespaces: [one, two, newName()], query: 'apples' });
      expect(both).toHaveLength(2);
      expect(await search({ namespaces: [one, two], query: 'apples', kinds: ['summary'] })).toMatchObject([
        { namespace: two },
      ]);
      expect(await search({ namespaces: [newName()], query: 'apples' })).toEqual([]);
      expect(await search({ namespaces: [one], query: 'unrelated zebra' })).toEqual([]);
    });

    it('does not match a prefix of a namespace name', async () => {
      const name = await newNamespace();
      await commit(name, { content: 'secret' });
      expect(await search({ namespaces: [name.slice(0, -1)], query: 'secret' })).toEqual([]);
    });

    it.each([
      [{ namespaces: [] }],
      [{}],
      [{ namespaces: ['a:b'], limit: 0 }],
      [{ namespaces: ['a:b'], limit: 101 }],
      [{ namespaces: ['a:b'], kinds: ['poem'] }],
      [{ namespaces: 'a:b' }],
    ])('rejects the search %j', async (body) => {
      const answer = await call({ method: 'POST', path: '/v1/search', body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    });
  });

  it('hides expired memories and memories of expired namespaces', async () => {
    const name = await newNamespace();
    const passing = await newNamespace();
    await commit(passing, { content: 'gone too' });
    await commit(name, { content: 'staying' });
    const { body } = await commit(name, { content: 'passing' });
    const moment = Date.now() + 1500;
    const expires_at = new Date(moment).toISOString();
    await commit(name, { id: body.id, content: 'passing', expires_at });
    await call({ method: 'PATCH', path: `/v1/namespaces/${passing}`, body: { expires_at } });
    await sleep(moment - Date.now() + 100);
    const found = await search({ namespaces: [name, passing] });
    expect(found.map(({ content }: { content: string }) => content)).toEqual(['staying']);
    const asked = await search({ namespaces: [name, passing], query: 'passing gone too' });
    expect(asked.filter(({ content }: { content: string }) => content !== 'staying')).toEqual([]);
    expect((await commit(passing, { content: 'late' })).status).toBe(404);
  });

  it('returns errors in the plugin format for unknown, malformed and oversized calls', async () => {
    expect(await call({ path: '/v1/nothing' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await call({ method: 'POST', path: '/v1/health', body: {} })).toMatchObject({
      status: 405,
      body: { code: 'bad_request' },
    });
    const broken = await fetch(`${server().pluginUrl}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ code: 'bad_request' });
    const large = await call({
      method: 'POST',
      path: '/v1/search',
      body: { namespaces: ['a:b'], query: 'x'.repeat(1_100_000) },
    });
    expect(large).toMatchObject({ status: 413, body: { code: 'bad_request' } });
  });

  it('rejects a request with a foreign Host header', async () => {
    const answer = await sendRaw(
      server().pluginUrl ?? '',
      'GET /v1/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer?.status).toBe(403);
  });
});
