import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningEngine, startEngine } from '../src/composition/start-engine.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import type { RecallInput } from '../src/engine/memories/recall/search-scope.js';
import { indexPartition } from '../src/engine/memories/recall/tend-large-partitions.js';
import type { MemoryFilter } from '../src/ports/memories.js';
import { conversationQuestion, conversationTurn, turnOf, vectorOf } from './support/conversations.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { explainStatement, recordStatements } from './support/explain.js';
import {
  ask,
  contentsOf,
  fill,
  own,
  SmallEngine,
  silent,
  smallLimit,
  tenant,
  turns,
  userPartition,
} from './support/large-scope.js';

/** The size of a partition that is large for one engine and small for the other. Both maintain its index. */
const size = 3000;
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
const questionsOfArm = isLong ? 40 : 16;
const questionsOfFilter = isLong ? 12 : 6;
const largeLimit = { embedder: 'local', recallResidentMemories: '5000' };

describe.runIf(inject('postgresUrl') !== null)('a scope too large for memory', () => {
  let small: SmallEngine;
  beforeAll(async () => {
    small = await SmallEngine.start();
  });
  afterAll(() => small?.close());

  describe('compared with the same scope in memory', () => {
    const me = callerOf('agrees', tenant);
    let resident: RunningEngine;
    beforeAll(async () => {
      resident = await startEngine(small.database.config(largeLimit), silent);
      await fill(resident.engine, me, turns(size));
      // Load the scope into memory, where it stays.
      await ask(resident.engine, me, 'warm up');
      await indexPartition(small.engine, tenant, userPartition(me));
      const made = `SELECT FROM pg_indexes WHERE indexdef LIKE '%hnsw%u:agrees%'`;
      await small.tendUntil(async () => (await small.query(made)).length === 1);
      await small.query('ANALYZE memhall.memories; ANALYZE memhall.memory_postings');
    });
    afterAll(() => resident?.close());

    async function agreement(rest: Partial<RecallInput>, questions: number) {
      let wanted = 0;
      let found = 0;
      for (let number = 0; number < questions; number++) {
        const text = conversationQuestion(number);
        const exact = await ask(resident.engine, me, text, rest);
        const ids = new Set((await ask(small.engine, me, text, rest)).map(({ memory }) => memory.id));
        wanted += exact.length;
        found += exact.filter(({ memory }) => ids.has(memory.id)).length;
      }
      expect(wanted).toBeGreaterThan(questions);
      return found / wanted;
    }

    it('is not in memory', async () => {
      expect(
        await small.engine.segments.get({ tenantId: tenant, userId: me.userId }, userPartition(me)),
      ).toBeUndefined();
      expect(small.engine.segments.count).toBe(0);
      expect(resident.engine.segments.count).toBe(1);
    });

    it.each([['both'], ['lexical'], ['dense']] as const)('returns nearly the same results (%s)', async (arms) => {
      expect(await agreement({ arms }, questionsOfArm)).toBeGreaterThan(0.95);
    });

    it.each<[string, MemoryFilter]>([
      ['a kind', { kinds: ['note'] }],
      ['a kind that most have', { kinds: ['turn'] }],
      ['a tag that half have', { tags: ['odd'] }],
      ['a tag that few have', { tags: ['seldom'] }],
      ['sessions', { sessionIds: ['s3', 's77', 'unknown'] }],
      ['an agent', { agentId: 'agent-1' }],
      ['a source', { source: 'mail' }],
      ['metadata', { metadata: { group: 3 } }],
      ['a time', { occurredFrom: new Date('2023-02-01'), occurredTo: new Date('2023-02-20') }],
      ['a time and a tag', { occurredFrom: new Date('2023-02-01'), tags: ['even'] }],
    ])('returns nearly the same results filtered by %s', async (_name, filter) => {
      expect(await agreement({ filter }, questionsOfFilter)).toBeGreaterThan(0.95);
    });

    it('ranks a clear match first, with the same score', async () => {
      for (const number of [17, 512, 2801]) {
        const { content } = conversationTurn(number);
        const [exact] = await ask(resident.engine, me, content);
        const [found] = await ask(small.engine, me, content);
        expect(found?.memory.content).toBe(content);
        expect(found?.score).toBeCloseTo(exact?.score ?? 0, 2);
      }
    });

    it('finds nothing if nothing matches', async () => {
      expect(await ask(small.engine, me, 'zyzzyva', { arms: 'lexical' })).toEqual([]);
      expect(await ask(small.engine, me, 'garden', { filter: { tags: ['none has this'] } })).toEqual([]);
    });

    it('finds results even if the filter rejects the nearest ones', async () => {
      const text = 'garden tomato watering';
      const farAway = { metadata: { group: 4 }, occurredFrom: new Date('2023-03-01') };
      const found = await ask(small.engine, me, text, { filter: farAway });
      expect(found).toHaveLength(10);
      for (const { memory } of found) expect(memory.metadata).toEqual({ group: 4 });
    });

    it('is searched by index as the application role', async () => {
      const sent: string[] = [];
      const traced = await startEngine(small.database.config(smallLimit), silent, { tracer: recordStatements(sent) });
      const text = conversationQuestion(1);
      await ask(traced.engine, me, text);
      await traced.close();
      const explain = (part: string, values: unknown[], settings = {}) =>
        explainStatement(small.opened, me, sent.find((one) => one.includes(part)) ?? '', { values, settings });
      const place = [tenant, 'u:agrees'];
      const now = new Date().toISOString();

      const model = small.engine.segments.model?.name;
      const vector = JSON.stringify(vectorOf(text));
      const nearest = await explain('<=> $4', [...place, model, vector, 300, now], { enable_sort: 'off' });
      expect(nearest).toMatch(/Index Scan using memories_vectors_/);
      expect(nearest).not.toMatch(/Seq Scan|Sort/);

      const terms = ['{1,2}', '{"\\\\x00000001","\\\\x00000002"}', '{1,1}', '{false,false}'];
      const words = await explain('memory_postings', [...place, ...terms, 0.9, 0.4, 8, 300, now]);
      expect(words).toMatch(/Index Only Scan using memory_postings_pkey/);
      expect(words).not.toMatch(/Seq Scan on (?:memories|memory_postings)/);

      const neighbours = await explain('session_id = hit.session_id', [...place, '{1,2,3}']);
      expect(neighbours).toMatch(/using memories_order on memories hit/);
      expect(neighbours.match(/Index Only Scan (?:Backward )?using memories_session/g)).toHaveLength(2);

      const frequencies = await explain('memory_terms', [...place, '{1,2}'], { enable_seqscan: 'off' });
      expect(frequencies).toMatch(/using memory_terms_pkey/);
    });

    it('is not visible to other users or tenants', async () => {
      const text = conversationTurn(5).content;
      for (const other of [callerOf('agrees', 't2'), callerOf('agree', tenant), callerOf('agreess', tenant)])
        expect(await ask(small.engine, other, text, { scope: { own: true, public: true } })).toEqual([]);
    });
  });

  it('ranks pinned matches first on request, however many others match better', async () => {
    const me = callerOf('pins', tenant);
    const pinned = 'Long ago, among the many animals of a far country that nobody had seen before, lived a quokka.';
    await fill(small.engine, me, [
      ...Array.from({ length: 1200 }, (_, number) => turnOf(`Quokka ${number}, quokka!`)),
      turnOf(pinned, { isPinned: true }),
    ]);
    await indexPartition(small.engine, tenant, userPartition(me));
    for (const arms of ['both', 'lexical'] as const) {
      expect((await contentsOf(small.engine, me, 'quokka', { arms, pinnedFirst: true }))[0]).toBe(pinned);
      expect(await contentsOf(small.engine, me, 'quokka', { arms })).not.toContain(pinned);
    }
  });
  it('is searched together with scopes in memory', async () => {
    const me = callerOf('both', tenant);
    await fill(small.engine, me, turns(1100));
    await indexPartition(small.engine, tenant, userPartition(me));
    await fill(small.engine, me, [turnOf('The pangolin is public.', { visibility: 'public' })]);
    const { content } = conversationTurn(444);
    const scope = { own: true, public: true };
    expect((await contentsOf(small.engine, me, content, { scope }))[0]).toBe(content);
    expect((await contentsOf(small.engine, me, 'public pangolin', { scope }))[0]).toBe('The pangolin is public.');
  });
});

describeEachDatabase('the limit of memories held in memory', (database) => {
  it('applies to PostgreSQL but not to the embedded database', async () => {
    const { engine, close } = await startEngine(
      database().config({ embedder: 'none', recallResidentMemories: '10' }),
      silent,
    );
    const me = callerOf('limited', tenant);
    await fill(
      engine,
      me,
      Array.from({ length: 40 }, (_, n) => ({ content: `number ${n} of many`, kind: 'fact' })),
    );
    expect((await recall(engine, me, { text: 'number 17', scope: own, limit: 3 }))[0]?.memory.content).toBe(
      'number 17 of many',
    );
    expect(engine.segments.count).toBe(database().kind === 'embedded' ? 1 : 0);
    await close();
  });
});
