import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { openMemhall } from '../src/open-memhall.js';
import { tinyRanker, unknownOperator, writeTinyModel } from '../src/providers/embedders/test-support/tiny-model.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase, type TestDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { useServer } from './support/server.js';

let directory: string;
beforeAll(async () => {
  directory = await writeTinyModel({ 'model.onnx': tinyRanker() });
});
afterAll(() => rm(directory, { recursive: true }));

const settings = () => ({ reranker: `onnx:${directory}`, rerankerDeadlineMs: '20000' });
/** By words, the first is best. The reranker counts `milk`, and `tea` a little. */
const texts = ['tea', 'tea at noon with milk', 'a long talk about tea and about nothing else at all'] as const;
const [short, withMilk, long] = texts;

describeOneDatabase('a reranker', (database) => {
  const server = useServer(database, settings);

  beforeAll(async () => {
    for (const content of texts) await server().call({ method: 'POST', path: '/v1/remember', body: { content } });
  });

  const ask = async (body: object) => (await server().call({ method: 'POST', path: '/v1/recall', body })).body.results;

  it('orders the best memories again, and explains what it did', async () => {
    const results = await ask({ query: 'tea', explain: true });
    expect(results).toMatchObject([
      { text: withMilk, explain: { rerank: 1, reranked: { relevance: 6 } } },
      { text: short, explain: { rerank: 0, reranked: { relevance: 1, place: 1 } } },
      { text: long, explain: { rerank: 0, reranked: { relevance: 1 } } },
    ]);
    const { lexical, dense, context, speaker, time, hint, pin, recency, truth, rerank } = results[0].explain;
    const sum = lexical + dense + context + speaker + time + hint + pin + recency + truth + rerank;
    expect(results[0].score).toBeCloseTo(1 - Math.exp(-1.5 * sum), 6);
    expect(results[1].score).toBeLessThan(results[0].score);
  });

  it('reads more memories than are returned', async () => {
    const [best, ...others] = await ask({ query: 'tea', limit: 1 });
    expect(best).toMatchObject({ text: withMilk });
    expect(best).not.toHaveProperty('explain');
    expect(others).toEqual([]);
  });

  it('is left out on request, and if words or meaning alone are compared', async () => {
    const order = async (body: object) =>
      (await ask({ query: 'tea', ...body })).map(({ text }: { text: string }) => text);
    expect((await order({ rerank: false }))[0]).toBe(short);
    expect((await order({ match: 'words' }))[0]).toBe(short);
    expect(await order({ match: 'meaning' })).toEqual([]); // without an embedder
  });

  it('is tried by memhall doctor', async () => {
    const flags = ['--port', '0', '--plugin-port', 'off', ...flagsOf(database())];
    const good = await runCommand(['doctor', ...flags], { MEMHALL_RERANKER: `onnx:${directory}` });
    expect(good.stdout).toMatch(/^ok {4}reranker: .*onnxruntime-node/m);
    const bad = await runCommand(['doctor', ...flags], { MEMHALL_RERANKER: 'onnx:/no/such/model' });
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('There is no model directory') });
  });

  it('is shown to operators', async () => {
    const token = await server().token({ roles: ['operator'] });
    const { body } = await server().call({ path: '/health', token });
    expect(body.reranker).toMatchObject({ kind: 'onnx', status: 'ready' });
  });
});

describeOneDatabase('what a reranker leaves as it is', (database) => {
  const running = useEngine(database, settings);
  const me = callerOf('reader');
  const query = { text: 'tea', scope: { own: true }, limit: 10, explain: true };

  beforeAll(async () => {
    const pinned = { content: 'a note on tea that somebody pinned', kind: 'fact' as const, isPinned: true };
    await rememberMany(running().engine, me, [...texts.map((content) => ({ content, kind: 'fact' as const })), pinned]);
  });

  it('is a search by words alone', async () => {
    const [first] = await recall(running().engine, me, { ...query, arms: 'lexical' });
    expect(first).toMatchObject({ memory: { content: short } });
    expect(first).not.toHaveProperty('reranked');
  });

  it('is the place of pinned memories that come first', async () => {
    const found = await recall(running().engine, me, { ...query, pinnedFirst: true });
    expect(found.slice(0, 2)).toMatchObject([{ memory: { isPinned: true } }, { memory: { content: withMilk } }]);
  });
});

describeOneDatabase('the deadline of a reranker', (database) => {
  it('leaves the order as it was, and says so', async () => {
    await withEngine(database(), { ...settings(), rerankerDeadlineMs: '1' }, async (engine) => {
      const me = callerOf('slow');
      const words = 'milk '.repeat(700);
      const memories = Array.from({ length: 30 }, (_, number) => ({ content: `tea ${number} ${words}`, kind: 'fact' }));
      await rememberMany(engine, me, memories as { content: string; kind: 'fact' }[]);
      const query = { text: 'tea', scope: { own: true }, limit: 30, explain: true };
      const found = await recall(engine, me, query);
      const places = found.map(({ reranked }) => reranked);
      expect(places).toEqual(found.map((_, index) => ({ place: index + 1, relevance: null })));
      engine.reranking = null;
      const without = await recall(engine, me, query);
      expect(found.map(({ memory }) => memory.id)).toEqual(without.map(({ memory }) => memory.id));
    });
  });
});

describeOneDatabase('a reranker that cannot be loaded', (database) => {
  it('prevents the start, or with a start in the background leaves the order as it was', async () => {
    const broken = await writeTinyModel({ 'model.onnx': unknownOperator() });
    const given = { reranker: `onnx:${broken}` };
    await expect(withEngine(database(), given, async () => undefined)).rejects.toThrow('The reranker cannot be used');
    await withEngine(database(), { ...given, embedderStart: 'background' }, async (engine) => {
      const me = callerOf('unlucky');
      await rememberMany(
        engine,
        me,
        [short, withMilk].map((content) => ({ content, kind: 'fact' as const })),
      );
      await expect.poll(() => engine.reranking?.reranker.describe().status, { timeout: 10_000 }).toBe('failed');
      const found = await recall(engine, me, { text: 'tea', scope: { own: true }, limit: 2 });
      expect(found.map(({ memory }) => memory.content)).toEqual([short, withMilk]);
    });
    await rm(broken, { recursive: true });
  });
});

describeOneDatabase('the library', (database) => {
  it('takes a reranker as an option', async () => {
    await using memhall = await openMemhall({ ...database().flags, embedder: 'none', reranker: `onnx:${directory}` });
    const memory = memhall.as({ user: 'library' });
    await memory.rememberMany([...texts]);
    const found = await memory.recall('tea');
    expect(found.map(({ memory: { content } }) => content)[0]).toBe(withMilk);
  });
});

async function withEngine(
  database: TestDatabase,
  given: Record<string, string>,
  use: (engine: Awaited<ReturnType<typeof startEngine>>['engine']) => Promise<void>,
): Promise<void> {
  const { engine, close } = await startEngine(database.config(given), pino({ level: 'silent' }));
  try {
    await use(engine);
  } finally {
    await close();
  }
}
