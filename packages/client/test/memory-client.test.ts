import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { memoryServiceRoutes } from '../src/generated/operations.js';
import { MemhallError, MemoryClient } from '../src/index.js';

describeOneDatabase('MemoryClient', (database) => {
  const server = useServer(database);
  let memory: MemoryClient;
  beforeAll(() => {
    memory = new MemoryClient({
      baseUrl: `${server().url}/`,
      token: () => server().token(),
    });
  });

  it('sets, reads, lists and deletes working memory', async () => {
    const set = await memory.setPlanState('p', 'k', { page: 3 }, { ttlSeconds: 60 });
    expect(set).toMatchObject({ plan_id: 'p', key: 'k', value: { page: 3 } });
    expect(await memory.getPlanState('p', 'k')).toEqual(set);
    await memory.setPlanState('p', 'l', null);
    const page = await memory.listPlanState('p', { limit: 1 });
    expect(page.entries.map(({ key }) => key)).toEqual(['k']);
    const next = await memory.listPlanState('p', { limit: 1, cursor: page.next_cursor ?? '' });
    expect(next.entries.map(({ key }) => key)).toEqual(['l']);
    expect(next.next_cursor).toBeUndefined();
    expect(await memory.deletePlanState('p', 'k')).toBe(true);
    expect(await memory.deletePlanState('p', 'k')).toBe(false);
    expect(await memory.getPlanState('p', 'k')).toBeNull();
    expect(await memory.deletePlanState('p')).toEqual({ deleted_count: 1, plan_id: 'p' });
  });

  it('supports compare-and-set', async () => {
    const first = await memory.setPlanState('q', 'k', 1, { onlyIfAbsent: true });
    await expect(memory.setPlanState('q', 'k', 2, { onlyIfAbsent: true })).rejects.toMatchObject({
      name: 'MemhallError',
      code: 'ETAG_MISMATCH',
      status: 412,
      details: { latest_etag: first.etag },
      requestId: expect.any(String),
    });
    await memory.setPlanState('q', 'k', 2, { ifMatch: first.etag });
    await expect(memory.deletePlanState('q', 'k', { ifMatch: first.etag })).rejects.toMatchObject({
      code: 'ETAG_MISMATCH',
    });
  });

  it('acts for the user that a service token names', async () => {
    const service = new MemoryClient({
      baseUrl: server().url,
      token: await server().token({ user: 'robot', roles: ['service'] }),
    });
    await service.setPlanState('r', 'k', 'for u1', { userId: 'u1' });
    expect(await memory.getPlanState('r', 'k')).toMatchObject({ value: 'for u1' });
    expect(await service.getPlanState('r', 'k')).toBeNull();
    expect(await service.deletePlanState('r', undefined, { userId: 'u1' })).toMatchObject({ deleted_count: 1 });
  });

  it('stores, finds, reads and deletes knowledge', async () => {
    const stored = await memory.storeKnowledge({
      content: 'Docker runs containers.',
      external_id: 'doc',
      tags: ['ops'],
    });
    expect((await memory.queryKnowledge('containers')).entries[0]).toMatchObject({
      id: stored.id,
      score: expect.any(Number),
    });
    const filtered = await memory.queryKnowledge({ query: 'containers', top_k: 1, filters: { tags: ['none'] } });
    expect(filtered).toEqual({ entries: [], count: 0 });
    expect(await memory.getKnowledge(stored.id)).toEqual(stored);
    expect(await memory.deleteKnowledge(stored.id)).toBe(true);
    expect(await memory.deleteKnowledge(stored.id)).toBe(false);
    expect(await memory.getKnowledge(stored.id)).toBeNull();
  });

  it('lists knowledge, and reads and deletes it by external id or filter', async () => {
    const contents = ['first', 'second', 'third'];
    for (const content of contents) {
      await memory.storeKnowledge({ content, external_id: `listed/${content}`, tags: ['listed'] });
    }
    await memory.storeKnowledge({ content: 'shared', external_id: 'listed/first', is_public: true });
    const page = await memory.listKnowledge({ tag: 'listed' }, { limit: 2 });
    expect(page.entries.map(({ content }) => content)).toEqual(['third', 'second']);
    const rest = await memory.listKnowledge({ tag: 'listed' }, { limit: 2, cursor: page.next_cursor ?? '' });
    expect(rest.entries.map(({ content }) => content)).toEqual(['first']);
    const all: string[] = [];
    for await (const { content } of memory.allKnowledge({ tag: 'listed' }, { limit: 1 })) all.push(content);
    expect(all).toEqual(['third', 'second', 'first']);

    expect(await memory.getKnowledgeByExternalId('listed/first')).toMatchObject({ content: 'first' });
    const isPublic = true;
    expect(await memory.getKnowledgeByExternalId('listed/first', { isPublic })).toMatchObject({ content: 'shared' });
    expect(await memory.getKnowledgeByExternalId('unknown')).toBeNull();
    expect(await memory.deleteKnowledgeByExternalId('listed/first', { isPublic })).toBe(true);
    expect(await memory.deleteKnowledgeByExternalId('listed/first', { isPublic })).toBe(false);
    expect(await memory.deleteMatchingKnowledge({ tag: 'listed' })).toBe(3);
    await expect(memory.deleteMatchingKnowledge({})).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('requests the next page only when it is needed, and stops when aborted', async () => {
    const requests: string[] = [];
    const counting = new MemoryClient({
      baseUrl: server().url,
      token: await server().token(),
      fetch: (url, init) => {
        requests.push(String(url));
        return fetch(url, init);
      },
    });
    for (const key of ['a', 'b', 'c']) await memory.setPlanState('paged', key, key);
    const seen: unknown[] = [];
    for await (const { value } of counting.allPlanState('paged', { limit: 2 })) {
      seen.push(value);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['a', 'b']);
    expect(requests).toHaveLength(1);

    const controller = new AbortController();
    const reason = new Error('enough');
    const rest = counting.allPlanState('paged', { limit: 1, signal: controller.signal });
    expect((await rest.next()).value).toMatchObject({ key: 'a' });
    controller.abort(reason);
    await expect(rest.next()).rejects.toBe(reason);
    expect((await rest.next()).done).toBe(true);
  });

  it('logs interactions and finds them again', async () => {
    const turn = (content: string) => ({ agent_id: 'guide', role: 'user' as const, content, session_id: 's1' });
    const one = await memory.logInteraction(turn('The ferry leaves at noon.'));
    const two = await memory.logInteraction([turn('We take the ferry.'), turn('Pack sandwiches.')]);
    expect(two.count).toBe(2);
    const recent = await memory.recentInteractions('guide', { limit: 5, sessionId: 's1' });
    expect(recent.entries.map(({ content }) => content)).toContain('Pack sandwiches.');
    expect((await memory.searchInteractions('guide', 'ferry', { limit: 1 })).entries[0]?.content).toMatch(/ferry/);
    expect(one).toMatchObject({ agent_id: 'guide', session_id: 's1' });
    const all: string[] = [];
    for await (const { content } of memory.allInteractions('guide', { limit: 1, sessionId: 's1' })) all.push(content);
    expect(all).toEqual(['Pack sandwiches.', 'We take the ferry.', 'The ferry leaves at noon.']);
    expect(await memory.getInteraction(one.id)).toEqual(one);
    expect(await memory.deleteInteraction(one.id)).toBe(true);
    expect(await memory.deleteInteraction(one.id)).toBe(false);
    expect(await memory.getInteraction(one.id)).toBeNull();
  });

  it('stores skills and finds relevant ones', async () => {
    const skill = {
      agent_id: 'coder',
      procedure_type: 'skill' as const,
      trigger_condition: 'code review',
      content: 'Read the diff twice.',
    };
    const stored = await memory.storeSkill(skill);
    expect((await memory.relevantSkills('coder', 'review', { limit: 1 })).entries[0]?.id).toBe(stored.id);
    expect(await memory.getSkill(stored.id)).toEqual(stored);
    await memory.storeSkill({ ...skill, agent_id: 'writer', content: 'Read it aloud.' });
    expect((await memory.listSkills({ agent_id: 'coder' })).entries).toEqual([stored]);
    const all: string[] = [];
    for await (const { content } of memory.allSkills({ procedure_type: 'skill' }, { limit: 1 })) all.push(content);
    expect(all).toEqual(['Read it aloud.', 'Read the diff twice.']);
    expect(await memory.deleteSkills({ agent_id: 'writer' })).toBe(1);
    expect(await memory.deleteSkill(stored.id)).toBe(true);
    expect(await memory.getSkill(stored.id)).toBeNull();
  });
});

it('has a method for every operation in the route table', () => {
  const directory = fileURLToPath(new URL('../src/', import.meta.url));
  const sources = readdirSync(directory).filter((file) => file.endsWith('.ts'));
  const code = sources.map((file) => readFileSync(`${directory}${file}`, 'utf8')).join('\n');
  // The same as `semantic.query`, for simple manual queries.
  const unused = Object.keys(memoryServiceRoutes).filter(
    (operation) => operation !== 'semantic.find' && !code.includes(`'${operation}'`),
  );
  expect(unused).toEqual([]);
});

describe('a client whose server misbehaves', () => {
  let fake: Server | undefined;
  const requests: string[] = [];
  afterEach(() => {
    requests.length = 0;
    fake?.closeAllConnections();
  });
  afterAll(() => fake?.close());

  /** Starts a bare HTTP server. */
  async function against(
    answer: RequestListener,
    options: { retries?: number; timeoutMs?: number } = {},
  ): Promise<MemoryClient> {
    fake = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    await new Promise<void>((done) => fake?.listen(0, '127.0.0.1', done));
    const { port } = fake.address() as AddressInfo;
    return new MemoryClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'secret-token', ...options });
  }

  const busy = JSON.stringify({ error: { code: 'UNAVAILABLE', message: 'busy', request_id: 'r1' } });

  it('retries reads but never writes', async () => {
    let calls = 0;
    const memory = await against((_, response) => {
      calls += 1;
      if (calls < 3) response.writeHead(503, { 'x-request-id': 'r1' }).end(busy);
      else response.end(JSON.stringify({ key: 'k', value: 1 }));
    });
    expect(await memory.getPlanState('p', 'k')).toMatchObject({ value: 1 });
    expect(calls).toBe(3);
    calls = 0;
    await expect(memory.setPlanState('p', 'k', 1)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
      requestId: 'r1',
    });
    expect(calls).toBe(1);
  });

  it('fails after the configured number of retries', async () => {
    const memory = await against((_, response) => response.writeHead(503).end(busy), { retries: 1 });
    await expect(memory.listPlanState('p')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(requests).toHaveLength(2);
  });

  it('times out', async () => {
    const memory = await against(() => undefined, { timeoutMs: 50, retries: 0 });
    await expect(memory.getPlanState('p', 'k')).rejects.toMatchObject({ code: 'TIMEOUT', status: 0 });
  });

  it('stops immediately when aborted, even while waiting to retry', async () => {
    const memory = await against((_, response) => response.writeHead(503, { 'retry-after': '30' }).end(busy));
    const reason = new Error('enough');
    const started = Date.now();
    const call = memory.getPlanState('p', 'k', { signal: AbortSignal.any([abortAfter(100, reason)]) });
    await expect(call).rejects.toBe(reason);
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it.each([
    ['<html>', 200],
    ['<html>', 502],
    ['', 500],
    ['{"error":null}', 400],
  ])('reports %j with status %i correctly', async (text, status) => {
    const memory = await against((_, response) => response.writeHead(status).end(text), { retries: 0 });
    await expect(memory.getPlanState('p', 'k')).rejects.toMatchObject({ code: 'PROTOCOL', status });
  });

  it('never includes its token in an error', async () => {
    const memory = await against((request) => request.socket.destroy(), { retries: 0 });
    const error = await memory.getPlanState('p', 'k').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MemhallError);
    expect(error).toMatchObject({ code: 'NETWORK' });
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain('secret-token');
  });

  it('escapes path parameters', async () => {
    const memory = await against((_, response) => response.end('{}'));
    await memory.getPlanState('../x', 'a/b?c#d');
    expect(requests).toEqual(['GET /v1/memory/working/..%2Fx/a%2Fb%3Fc%23d']);
  });
});

function abortAfter(ms: number, reason: unknown): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
