import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { type BaseCheckpointSaver, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MemoryClient } from '@memhall/client';
import { OneMemoryClient } from '@memhall/client/one-memory';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { useServer } from '../../../server/test/support/server.js';
import { MemhallSaver } from '../../src/langgraph.js';

// The validation suite of LangGraph uses the globals of its test runner.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
const { deltaChannelHistoryTests, validate } = await import('@langchain/langgraph-checkpoint-validation');

const meta = { source: 'input', step: -1, parents: {} } as const;

describeOneDatabase('MemhallSaver', (database) => {
  const server = useServer(database);
  let made = 0;

  function saverOf(user: string, options: { name?: string; ttlSeconds?: number } = {}): MemhallSaver {
    return new MemhallSaver({ client: clientOf(user), name: 'shared', ...options });
  }

  function clientOf(user: string): MemoryClient {
    return new MemoryClient({ baseUrl: server().url, token: () => server().token({ user }) });
  }

  const initializer = {
    checkpointerName: 'MemhallSaver',
    createCheckpointer: () => {
      made += 1;
      return saverOf(`validated-${made}`);
    },
  };
  validate(initializer as never);
  deltaChannelHistoryTests(initializer as never);

  function askingGraph(checkpointer: BaseCheckpointSaver) {
    const State = Annotation.Root({
      said: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
    });
    return new StateGraph(State)
      .addNode('ask', () => ({ said: [`heard ${interrupt('Shall I go on?')}`] }))
      .addNode('end', () => ({ said: ['done'] }))
      .addEdge(START, 'ask')
      .addEdge('ask', 'end')
      .addEdge('end', END)
      .compile({ checkpointer });
  }

  it('lets another process resume an interrupted graph, and gives the same history as the saver of LangGraph', async () => {
    const histories = await Promise.all(
      [() => saverOf('ann'), reused(new MemorySaver())].map(async (saver) => {
        const config = { configurable: { thread_id: 'talk' } };
        await askingGraph(saver()).invoke({ said: ['hello'] }, config);
        expect((await askingGraph(saver()).getState(config)).next).toEqual(['ask']);
        await askingGraph(saver()).invoke(new Command({ resume: 'yes' }), config);
        const history = [];
        for await (const { values, next, metadata } of askingGraph(saver()).getStateHistory(config)) {
          history.push({ values, next, source: metadata?.source, step: metadata?.step });
        }
        return history;
      }),
    );
    expect(histories[0]).toEqual(histories[1]);
    expect(histories[0]?.[0]?.values).toEqual({ said: ['hello', 'heard yes', 'done'] });
  });

  it('keeps two branches of a thread apart', async () => {
    const config = { configurable: { thread_id: 'fork' } };
    const graph = askingGraph(saverOf('ann'));
    await graph.invoke({ said: ['hello'] }, config);
    const { config: asked } = await graph.getState(config);
    const branches = [];
    for (const word of ['left', 'right']) branches.push(await graph.updateState(asked, { said: [word] }));
    const states = await Promise.all(branches.map((branch) => graph.getState(branch)));
    expect(states.map(({ values }) => values.said)).toEqual([
      ['hello', 'left'],
      ['hello', 'right'],
    ]);
  });

  it('stores state that is larger than a request, and bytes, unchanged', async () => {
    const saver = saverOf('ann');
    const channels = {
      long: 'é\u0000"\\ 𝄞 '.repeat(200_000),
      bytes: new Uint8Array([0, 255, 128]),
      decomposed: 'e\u0301',
      half: '\ud834',
    };
    const versions = { long: 1, bytes: 1, decomposed: 1, half: 1 };
    const checkpoint = { ...emptyCheckpoint(), channel_values: channels, channel_versions: versions };
    const config = await saver.put({ configurable: { thread_id: 'large' } }, checkpoint, meta, versions);
    const expected = await new MemorySaver().serde.loadsTyped(
      ...((await saver.serde.dumpsTyped(channels)) as [string, Uint8Array]),
    );
    const found = await saver.getTuple(config);
    expect(found?.checkpoint.channel_values).toEqual(expected);
  });

  it('stores a channel once for each of its versions', async () => {
    const saver = saverOf('frugal');
    const long = 'x'.repeat(300_000);
    let config: Parameters<typeof saver.getTuple>[0] = { configurable: { thread_id: 'steps' } };
    for (let step = 0; step < 5; step += 1) {
      const checkpoint = {
        ...{ ...emptyCheckpoint(), id: uuid6(step), channel_values: { long, step } },
        channel_versions: { long: 1, step },
      };
      config = await saver.put(config, checkpoint, meta, step === 0 ? { long: 1, step } : { step });
    }
    expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual({ long, step: 4 });
    const plans = await server().call({
      path: '/v1/tenants/t1/users/frugal/audit?limit=100',
      token: await server().token({ user: 'frugal' }),
    });
    const parts = plans.body.records.filter(({ target }: { target: string }) => target.includes('v:'));
    expect(parts).toHaveLength(3 + 5);
  });

  it('is state: no recall finds it', async () => {
    await askingGraph(saverOf('ann')).invoke(
      { said: ['The violin is in the cellar.'] },
      { configurable: { thread_id: 'v' } },
    );
    const memory = new OneMemoryClient({ baseUrl: server().url, token: () => server().token({ user: 'ann' }) });
    expect((await memory.recall('Where is the violin?')).results).toEqual([]);
  });

  it('shows threads to nobody else, and not under another name', async () => {
    const config = { configurable: { thread_id: 'secret' } };
    await askingGraph(saverOf('ann')).invoke({ said: ['hello'] }, config);
    const inTenant2 = new MemhallSaver({
      client: new MemoryClient({ baseUrl: server().url, token: () => server().token({ tenant: 't2', user: 'ann' }) }),
      name: 'shared',
    });
    for (const other of [saverOf('bob'), saverOf('ann', { name: 'other' }), inTenant2]) {
      expect(await other.getTuple(config)).toBeUndefined();
      expect(await collect(other.list({}))).toEqual([]);
      await other.deleteThread('secret');
    }
    expect(await saverOf('ann').getTuple(config)).toBeDefined();
  });

  it('lets a service keep the threads of several users', async () => {
    const client = new MemoryClient({
      baseUrl: server().url,
      token: () => server().token({ user: 'app', roles: ['service'] }),
    });
    const config = { configurable: { thread_id: 'mine' } };
    await askingGraph(new MemhallSaver({ client, name: 'shared', userId: 'cat' })).invoke({ said: ['hi'] }, config);
    expect(await saverOf('cat').getTuple(config)).toBeDefined();
    expect(await new MemhallSaver({ client, name: 'shared' }).getTuple(config)).toBeUndefined();
  });

  it('is erased with the user', async () => {
    const config = { configurable: { thread_id: 'gone' } };
    await askingGraph(saverOf('dan')).invoke({ said: ['hello'] }, config);
    const token = await server().token({ user: 'root', roles: ['admin'] });
    const { status } = await server().call({ method: 'DELETE', path: '/v1/tenants/t1/users/dan/memory', token });
    expect(status).toBe(200);
    expect(await saverOf('dan').getTuple(config)).toBeUndefined();
    expect(await collect(saverOf('dan').list({}))).toEqual([]);
  });

  it('keeps the state of a thread that is off the record in the process only', async () => {
    const memory = new OneMemoryClient({ baseUrl: server().url, token: () => server().token({ user: 'eve' }) });
    await memory.goOffTheRecord('private');
    const config = { configurable: { thread_id: 'private' } };
    const saver = saverOf('eve');
    await askingGraph(saver).invoke({ said: ['hello'] }, config);
    expect((await askingGraph(saver).invoke(new Command({ resume: 'yes' }), config)).said).toHaveLength(3);
    expect(await saverOf('eve').getTuple(config)).toBeUndefined();
    await saver.deleteThread('private');
    expect(await saver.getTuple(config)).toBeUndefined();
  });

  it('says what is missing in a config', async () => {
    await expect(saverOf('ann').put({}, emptyCheckpoint(), meta, {})).rejects.toThrow('configurable.thread_id');
    const config = { configurable: { thread_id: 't', checkpoint_id: 'Not A UUID' } };
    await expect(saverOf('ann').getTuple(config)).rejects.toThrow('must be a UUID');
  });
});

function reused<T>(one: T): () => T {
  return () => one;
}

async function collect<T>(values: AsyncGenerator<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
