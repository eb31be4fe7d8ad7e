import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../src/engine/engine.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { SegmentCache } from '../src/engine/memories/index/segment-cache.js';
import type { RecallInput } from '../src/engine/memories/recall/search-scope.js';
import { conversationQuestion, conversationTurn, vectorOf } from './support/conversations.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { ask, fill, turns, userPartition } from './support/large-scope.js';

const size = 400;
const everything = { own: true, public: true };

describeEachDatabase('vectors that are loaded after the first recall', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  const me = callerOf('ann');
  const scope = { tenantId: me.tenantId, userId: me.userId };
  const partition = userPartition(me);
  let ids: string[];

  beforeAll(async () => {
    const { engine } = running();
    const stored = await fill(engine, me, turns(size));
    ids = stored.map(({ memory }) => memory.id);
    const known = Array.from({ length: 20 }, (_, number) => conversationTurn(size + number));
    await fill(
      engine,
      callerOf('bob'),
      known.map((turn) => ({ ...turn, visibility: 'public' })),
    );
  });

  /** Returns the engine with an empty cache, in which a few hundred memories are many. */
  function started(): Engine {
    const { engine } = running();
    const { model } = engine.segments;
    const segments = new SegmentCache(engine.store, {
      ...{ maxBytes: 1e9, maxMemories: 1e6, pageRows: 2000, model, estimates: { fromRows: 300, exactRows: 30 } },
      onLarge: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    onTestFinished(() => segments.close());
    return { ...engine, segments };
  }

  /** Returns the same with all vectors in memory. */
  async function loaded(): Promise<Engine> {
    const engine = started();
    await engine.segments.get(scope, partition);
    await engine.segments.get(scope, { kind: 'public' });
    return engine;
  }

  async function lacking({ segments }: Engine): Promise<number | undefined> {
    return (await segments.get(scope, partition))?.vectors.lacking;
  }

  const ranking = async (engine: Engine, question: number, rest: Partial<RecallInput> = {}) => {
    const input = { explain: true, scope: everything, ...rest };
    const found = await ask(engine, me, conversationQuestion(question), input);
    return found.map(({ memory, score, explanation }) => ({ id: memory.id, score, explanation }));
  };

  it('the first recall returns the same as when they are loaded', async () => {
    const whole = await loaded();
    expect(await lacking(whole)).toBe(0);
    for (const rest of [{}, { arms: 'dense' }, { filter: { kinds: ['turn'] } }, { limit: 50 }] as const) {
      for (let question = 0; question < 4; question++) {
        const first = started();
        // Vectors are loaded only for the recall, however long it takes.
        await first.segments.close();
        const found = await ranking(first, question, rest);
        expect(found.length).toBeGreaterThan(0);
        expect(found).toEqual(await ranking(whole, question, rest));
        expect(await lacking(first)).toBeGreaterThan(size / 2);
      }
    }
  });

  it('all of them are loaded in time, and recall returns the same', async () => {
    const [engine, whole] = [started(), await loaded()];
    await ranking(engine, 0);
    for (const deadline = Date.now() + 20_000; (await lacking(engine)) !== 0 && Date.now() < deadline; )
      await sleep(20);
    expect(await lacking(engine)).toBe(0);
    for (let question = 0; question < 8; question++)
      expect(await ranking(engine, question)).toEqual(await ranking(whole, question));
  });

  it('every vector is read if the scope turns out to be small', async () => {
    const engine = started();
    await engine.segments.get(scope, partition, { signsOnly: true });
    const near = await ask(engine, me, conversationQuestion(1), { scope: { own: true }, arms: 'dense', limit: size });
    expect(near).toEqual(
      await ask(await loaded(), me, conversationQuestion(1), { scope: { own: true }, arms: 'dense', limit: size }),
    );
  });

  it('memories that come and go meanwhile are found, or not found, like all others', async () => {
    const engine = started();
    const text = 'Mona keeps a heron in the boathouse.';
    await ranking(engine, 0);
    const { engine: writer } = running();
    await fill(writer, me, [{ content: text, kind: 'note', embedding: vectorOf(text) }]);
    const [best] = await ask(engine, me, text);
    expect(best?.memory.content).toBe(text);
    const gone = ids.slice(0, 250);
    for (let at = 0; at < gone.length; at += 50) await forgetMemories(writer, me, gone.slice(at, at + 50));
    const whole = await loaded();
    for (let question = 0; question < 4; question++)
      expect(await ranking(engine, question)).toEqual(await ranking(whole, question));
  });

  it('loading stops when the cache is closed', async () => {
    const engine = started();
    await engine.segments.get(scope, partition, { signsOnly: true });
    const before = await lacking(engine);
    expect(before).toBeGreaterThan(0);
    await engine.segments.close();
    await sleep(300);
    expect(await lacking(engine)).toBe(before);
  });
});
