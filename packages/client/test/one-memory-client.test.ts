import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { collectAll } from '../../server/test/support/collect-all.js';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { oneMemoryRoutes } from '../src/generated/operations.js';
import { MemoryClient } from '../src/index.js';
import { OneMemoryClient } from '../src/one-memory.js';

describeOneDatabase('remember, recall and forget with OneMemoryClient', (database) => {
  const server = useServer(database);
  const connect = (user: string, claims: Record<string, string> = {}) =>
    new OneMemoryClient({ baseUrl: server().url, token: () => server().token({ user, claims }) });
  let memory: OneMemoryClient;
  let memoryService: MemoryClient;
  beforeAll(() => {
    memory = connect('ann');
    memoryService = new MemoryClient({ baseUrl: server().url, token: () => server().token({ user: 'ann' }) });
  });

  it('remembers one thing or many, and recalls what other surfaces wrote', async () => {
    const tea = await memory.remember('I take my tea without milk.');
    expect(tea).toMatchObject({ kind: 'note', trust: 'user', origin: { surface: 'api', author: 'ann' } });
    expect((await memory.remember('I take my tea without milk.')).id).toBe(tea.id);
    const many = await memory.rememberMany([
      'The kettle is blue.',
      { content: 'Tea is served at four.', kind: 'fact', tags: ['house'], occurred_at: '2026-05-01T00:00:00Z' },
    ]);
    expect(many.map(({ kind }) => kind)).toEqual(['note', 'fact']);
    await memoryService.storeKnowledge({ content: 'Green tea is not oxidised.' });
    const { results } = await memory.recall('tea');
    expect(results.map(({ text }) => text).sort()).toEqual([
      'Green tea is not oxidised.',
      'I take my tea without milk.',
      'Tea is served at four.',
    ]);
    expect(results.every(({ own, current }) => own && current)).toBe(true);
    const dated = await memory.recall({ query: 'tea', to: '2026-05-02T00:00:00Z', explain: true });
    expect(dated.results).toMatchObject([{ id: many[1]?.id, explain: { copies: [] } }]);
  });

  it('repeats the result of a call with the same idempotency key', async () => {
    const options = { idempotencyKey: 'boats-1' };
    const first = await memory.remember({ content: 'One boat.', external_id: 'boat' }, options);
    await memory.remember({ content: 'Two boats.', external_id: 'boat' });
    const again = await memory.remember({ content: 'One boat.', external_id: 'boat' }, options);
    expect(again).toMatchObject({ id: first.id, content: 'Two boats.' });
    await expect(memory.remember('Other.', options)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('reads a memory with its history, changes it if nobody else did, and forgets it', async () => {
    const { id } = await memory.remember('The ferry leaves at noon.');
    const found = await memory.getMemory(id);
    expect(found).toMatchObject({
      memory: { id },
      origin: { surface: 'api' },
      history: [{ change: 'written', operation: 'memory.remember', user_id: 'ann' }],
    });
    const ifMatch = found?.etag ?? '';
    const changed = await memory.updateMemory(id, { content: 'The ferry leaves at one.', pin: true }, { ifMatch });
    expect(changed).toMatchObject({ memory: { content: 'The ferry leaves at one.', pin: true } });
    await expect(memory.updateMemory(id, { pin: false }, { ifMatch })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    await expect(memory.forgetMemory(id, { ifMatch })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    await memory.updateMemory(id, { pin: false }, { ifMatch: '*' });
    expect(await connect('bob').getMemory(id)).toBeNull();
    const copy = await memoryService.storeKnowledge({ content: 'the ferry leaves at one' });
    expect(await memory.forgetMemory(id, { copies: true })).toBe(true);
    expect(await memory.forgetMemory(id)).toBe(false);
    expect(await memory.getMemory(copy.id)).toBeNull();
  });

  it('lists page by page, or all of them', async () => {
    const lister = connect('lister', { team_id: 'crew' });
    await lister.rememberMany(['One', 'Two', 'Three'].map((content) => ({ content, tags: ['count'] })));
    await lister.remember({ content: 'Shared', namespace: 'team:crew' });
    const page = await lister.listMemories({ tag: 'count' }, { limit: 2 });
    expect(page.memories).toHaveLength(2);
    const next = await lister.listMemories({ tag: 'count' }, { limit: 2, cursor: page.next_cursor ?? '' });
    expect(next.memories).toHaveLength(1);
    expect(next.next_cursor).toBeUndefined();
    const all = await collectAll(lister.allMemories({}, { limit: 1 }));
    expect(all.map(({ content }) => content).sort()).toEqual(['One', 'Shared', 'Three', 'Two']);
    const shared = await collectAll(lister.allMemories({ namespace: 'team:crew' }));
    expect(shared).toMatchObject([{ content: 'Shared', namespace: 'team:crew' }]);
  });

  it('acts for the user that a service token names', async () => {
    const token = await server().token({ user: 'robot', roles: ['service'] });
    const service = new OneMemoryClient({ baseUrl: server().url, token });
    const options = { userId: 'carl' };
    const { id, trust } = await service.remember('Carl keeps bees.', options);
    expect(trust).toBe('agent');
    expect((await connect('carl').recall('bees')).results).toMatchObject([{ id }]);
    expect((await service.recall('bees')).results).toEqual([]);
    expect(await service.getMemory(id, options)).not.toBeNull();
    await service.updateMemory(id, { tags: ['bees'] }, { ...options, ifMatch: '*' });
    expect((await service.listMemories({ tag: 'bees' }, options)).memories).toHaveLength(1);
    expect(await service.forgetMemory(id, options)).toBe(true);
  });
});

it('has a method for every operation', () => {
  const code = readFileSync(new URL('../src/one-memory-client.ts', import.meta.url), 'utf8');
  expect(Object.keys(oneMemoryRoutes).filter((operation) => !code.includes(`'${operation}'`))).toEqual([]);
});
