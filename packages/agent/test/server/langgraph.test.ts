import { Annotation, START, StateGraph } from '@langchain/langgraph';
import { type BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint';
import { MemoryClient } from '@memhall/client';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { useServer } from '../../../server/test/support/server.js';
import { MemhallStore } from '../../src/langgraph.js';

describeOneDatabase('MemhallStore', (database) => {
  const server = useServer(database);
  let client: MemoryClient;
  let store: MemhallStore;
  let made = 0;
  beforeAll(() => {
    client = new MemoryClient({ baseUrl: server().url, token: () => server().token() });
  });
  beforeEach(() => {
    made += 1;
    store = new MemhallStore({ client, name: `s${made}` });
  });

  it('shares the memory of a user between threads of a graph', async () => {
    const State = Annotation.Root({ said: Annotation<string>(), answer: Annotation<string>() });
    const graph = new StateGraph(State)
      .addNode('talk', async ({ said }, { store: memory }) => {
        if (memory === undefined) throw new Error('no store');
        const [known] = await memory.search(['users', 'ann'], { query: said });
        if (known === undefined) await memory.put(['users', 'ann'], `fact-${said.length}`, { text: said });
        return { answer: known === undefined ? 'noted' : `you said: ${known.value.text}` };
      })
      .addEdge(START, 'talk')
      .compile({ store });
    expect((await graph.invoke({ said: 'I drink green tea.' })).answer).toBe('noted');
    expect((await graph.invoke({ said: 'Which tea?' })).answer).toBe('you said: I drink green tea.');
  });

  it('behaves like the store shipped with LangGraph', async () => {
    const both: BaseStore[] = [new InMemoryStore(), store];
    const [expected, actual] = await Promise.all(
      both.map(async (one) => {
        await one.put(['users', 'ann'], 'a', { text: 'tea', stars: 5, tags: ['x'] });
        await one.put(['users', 'ann', 'notes'], 'b:c/d é', { text: 'milk', stars: 3 });
        await one.put(['docs', 'v1'], 'a', { text: 'sugar', stars: 1 });
        await one.put(['users', 'ann'], 'gone', { text: 'x' });
        await one.delete(['users', 'ann'], 'gone');
        await one.put(['docs', 'v1'], 'a', { text: 'salt', stars: 2 });
        const seen = (items: { namespace: string[]; key: string; value: object }[]) =>
          items.map(({ namespace, key, value }) => JSON.stringify([namespace, key, value])).sort();
        return {
          get: (await one.get(['users', 'ann'], 'a'))?.value,
          missing: [await one.get(['users', 'ann'], 'gone'), await one.get(['users'], 'a')],
          all: seen(await one.search([])),
          below: seen(await one.search(['users', 'ann'])),
          equal: seen(await one.search([], { filter: { stars: 5 } })),
          more: seen(await one.search([], { filter: { stars: { $gt: 2, $lte: 5 } } })),
          other: seen(await one.search([], { filter: { stars: { $ne: 3 }, text: 'salt' } })),
          count: (await one.search([], { limit: 2, offset: 1 })).length,
          beyond: (await one.search([], { offset: 5 })).length,
          prefix: await one.listNamespaces({ prefix: ['users', '*'] }),
          suffix: await one.listNamespaces({ suffix: ['v1'] }),
          shallow: await one.listNamespaces({ prefix: ['users'], maxDepth: 2 }),
          page: await one.listNamespaces({ limit: 1, offset: 1, prefix: ['users'] }),
          batch: (
            await one.batch([
              { namespace: ['n'], key: 'k', value: { v: 1 } },
              { namespace: ['n'], key: 'k' },
              { namespace: ['n'], key: 'k', value: { v: 2 } },
            ])
          )[1],
          after: (await one.get(['n'], 'k'))?.value,
        };
      }),
    );
    expect(actual).toEqual(expected);
  });

  it('finds by words, within a namespace, best first, with a score', async () => {
    await store.put(['users', '1'], 'a', { text: 'Ann drinks green tea every morning' });
    await store.put(['users', '10'], 'a', { text: 'Bob drinks green tea every morning' });
    await store.put(['users', '1'], 'b', { deep: [{ note: 'tea for guests' }] });
    const found = await store.search(['users', '1'], { query: 'green tea' });
    expect(found.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(found[0]).toMatchObject({
      namespace: ['users', '1'],
      score: expect.any(Number),
      createdAt: expect.any(Date),
    });
    expect(await store.search(['users'], { query: 'green tea', limit: 1, offset: 1 })).toHaveLength(1);
    expect(await store.search(['users'], { query: 'tea', filter: { text: 'nobody' } })).toEqual([]);
  });

  it('forgets the old words when a value is replaced', async () => {
    await store.put(['n'], 'k', { text: 'violin' });
    await store.put(['n'], 'k', { text: 'piano' });
    expect(await store.search(['n'], { query: 'violin' })).toEqual([]);
    expect(await store.search(['n'], { query: 'piano' })).toHaveLength(1);
    await store.delete(['n'], 'k');
    expect(await store.search(['n'], { query: 'piano' })).toEqual([]);
    expect((await client.queryKnowledge('piano')).count).toBe(0);
  });

  it('indexes only the requested fields', async () => {
    const value = { title: 'violin', chapters: [{ text: 'piano' }, { text: 'harp' }], count: null };
    await store.put(['n'], 'some', value, ['chapters[-1].text', 'title', 'count.x', 'nowhere']);
    await store.put(['n'], 'none', { title: 'cello' }, false);
    const keys = async (query: string) => (await store.search(['n'], { query })).map(({ key }) => key);
    expect([await keys('violin'), await keys('harp'), await keys('piano'), await keys('cello')]).toEqual([
      ['some'],
      ['some'],
      [],
      [],
    ]);
    await store.put(['n'], 'some', value, false);
    expect(await keys('harp')).toEqual([]);
    expect((await store.get(['n'], 'some'))?.value).toEqual(value);
  });

  it('keeps the creation time and renews the update time', async () => {
    await store.put(['n'], 'k', { v: 1 });
    const first = await store.get(['n'], 'k');
    await store.put(['n'], 'k', { v: 2 });
    const second = await store.get(['n'], 'k');
    expect(second?.createdAt).toEqual(first?.createdAt);
    expect(second?.updatedAt.getTime()).toBeGreaterThanOrEqual(first?.updatedAt.getTime() ?? Number.NaN);
  });

  it('is isolated from stores of other names and users', async () => {
    await store.put(['n'], 'k', { text: 'violin' });
    const token = await server().token({ user: 'robot', roles: ['service'] });
    const service = new MemoryClient({ baseUrl: server().url, token });
    const others = [
      new MemhallStore({ client, name: 'other' }),
      new MemhallStore({ client: service, name: `s${made}`, userId: 'u2' }),
    ];
    for (const other of others) {
      expect(await other.get(['n'], 'k')).toBeNull();
      expect(await other.search([], { query: 'violin' })).toEqual([]);
      expect(await other.search([])).toEqual([]);
    }
    const same = new MemhallStore({ client: service, name: `s${made}`, userId: 'u1' });
    expect(await same.search([], { query: 'violin' })).toHaveLength(1);
  });
});
