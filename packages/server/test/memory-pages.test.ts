import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../src/engine/engine.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { SegmentCache } from '../src/engine/memories/index/segment-cache.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { conversationQuestion, conversationTurn } from './support/conversations.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { ask, fill, turns, userPartition } from './support/large-scope.js';

const size = 330;
const pageRows = 50;

describeEachDatabase('pages of memories', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  const me = callerOf('ann');
  const scope = { own: true, public: true };
  let ids: string[];

  beforeAll(async () => {
    const { engine } = running();
    ids = (await fill(engine, me, turns(size))).map(({ memory }) => memory.id);
    const shared = turns(2 * pageRows).map((turn) => ({ ...turn, visibility: 'public' as const }));
    await fill(engine, callerOf('bob'), shared);
  });

  /** Returns the engine as after a start. A few hundred memories are many for it, unless they are not to be estimated. */
  function started(fromRows = 300): Engine {
    const { engine } = running();
    const segments = new SegmentCache(engine.store, {
      ...{ maxBytes: 1e9, maxMemories: 1e6, model: engine.segments.model, pageRows },
      estimates: { fromRows, exactRows: 30 },
      onLarge: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    onTestFinished(() => segments.close());
    return { ...engine, segments };
  }

  const query = async <Row extends object>(sql: string) => (await running().database.pool.query<Row>(sql)).rows;

  /** Returns the pages with the number of memories that they should have. */
  const pages = () =>
    query<{ partition: string; count: number; stored: number }>(
      `SELECT partition, count, (SELECT count(*)::int FROM memhall.memories AS m WHERE m.tenant_id = p.tenant_id
         AND m.partition = p.partition AND m.revision > p.after AND m.revision <= p.up_to) AS stored
       FROM memhall.memory_pages AS p ORDER BY partition, after`,
    );
  const countsOf = async (partition: string) =>
    (await pages()).filter((one) => one.partition === partition).map(({ count }) => count);

  const ranking = async (engine: Engine, question: number) => {
    const found = await ask(engine, me, conversationQuestion(question), { explain: true, scope, limit: 20 });
    return found.map(({ memory, score, explanation }) => ({ id: memory.id, score, explanation }));
  };

  /** Recalls as after a start, and waits until there are that many pages. */
  async function keep(wanted: number): Promise<void> {
    const engine = started();
    await ranking(engine, 0);
    for (const deadline = Date.now() + 20_000; (await pages()).length !== wanted && Date.now() < deadline; )
      await sleep(50);
    await engine.segments.close();
    expect((await pages()).length).toBe(wanted);
  }

  async function expectSameRanking(): Promise<void> {
    const [fresh, whole] = [started(), started()];
    // Read whole, vectors and all, and so not from pages.
    const place = { tenantId: me.tenantId, userId: me.userId };
    for (const partition of [userPartition(me), { kind: 'public' } as const])
      await whole.segments.get(place, partition);
    for (let question = 0; question < 4; question++)
      expect(await ranking(fresh, question)).toEqual(await ranking(whole, question));
  }

  afterEach(async () => {
    for (const { count, stored } of await pages()) expect(stored).toBe(count);
  });

  it('are stored after the first recall of a large scope, and the next start ranks the same from them', async () => {
    expect(await pages()).toEqual([]);
    await ranking(started(1e9), 0);
    await sleep(700);
    expect(await pages()).toEqual([]);
    await keep(8);
    expect(await countsOf('u:ann')).toEqual(Array(6).fill(pageRows));
    expect(await countsOf('p:')).toEqual(Array(2).fill(pageRows));
    await expectSameRanking();
  });

  it('are what a start reads', async () => {
    await query(`UPDATE memhall.memory_pages SET kinds = replace(kinds, 'turn', 'twist') WHERE partition = 'u:ann'`);
    const find = async (kinds: string[]) =>
      (await ask(started(), me, conversationQuestion(1), { filter: { kinds }, limit: 100 })).length;
    expect(await find(['twist'])).toBeGreaterThan(0);
    await query(`UPDATE memhall.memory_pages SET kinds = replace(kinds, 'twist', 'turn') WHERE partition = 'u:ann'`);
    expect(await find(['twist'])).toBe(0);
  });

  it('go with each memory that is changed or forgotten, at once, and come back', async () => {
    const { engine } = running();
    await forgetMemories(engine, me, ids.slice(60, 63));
    await updateMemory(engine, me, ids[210] ?? '', { content: 'Mona keeps a heron in the boathouse.' });
    expect(await countsOf('u:ann')).toEqual(Array(4).fill(pageRows));
    await expectSameRanking();
    await keep(8);
    expect(await countsOf('u:ann')).toEqual([50, 47, 50, 50, 49, 50]);
    await expectSameRanking();
    const [best] = await ask(started(), me, 'Who keeps a heron?');
    expect(best?.memory.content).toContain('heron');
  });

  it('are made of what is added, once it is enough for one', async () => {
    const { engine } = running();
    const more = Array.from({ length: pageRows }, (_, number) => conversationTurn(1000 + number));
    await fill(engine, me, more);
    await keep(9);
    await expectSameRanking();
  });

  it('cannot be read by who may read only some notes of a workspace', async () => {
    await query(
      `INSERT INTO memhall.memory_pages VALUES ('t1', 'u:workspace/w', 'm', 0, 1, 0, '', '', '', '', '', '', '', '')`,
    );
    const read = (noteOwners: string[]) =>
      running().engine.store.read({ tenantId: 't1', userId: 'ann', workspaceId: 'w', noteOwners }, ({ memoryIndex }) =>
        memoryIndex.pages([{ kind: 'user', userId: 'workspace/w' }], { name: 'm' }),
      );
    expect((await read([])).flat().length).toBe(1);
    expect((await read(['agent:a'])).flat()).toEqual([]);
    await query(`DELETE FROM memhall.memory_pages WHERE partition = 'u:workspace/w'`);
  });

  it('of a user who is forgotten are gone', async () => {
    await forgetUser(running().engine, me);
    expect(await countsOf('u:ann')).toEqual([]);
    expect(await countsOf('p:')).toEqual([pageRows, pageRows]);
  });
});
