import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningEngine, startEngine } from '../src/composition/start-engine.js';
import type { Caller } from '../src/engine/caller.js';
import type { Engine } from '../src/engine/engine.js';
import { expireMemories } from '../src/engine/memories/expire-memories.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { indexPartition, tendLargePartitions } from '../src/engine/memories/index/tend-large-partitions.js';
import { deleteNamespace, putNamespace } from '../src/engine/memories/namespaces.js';
import type { NewMemory } from '../src/engine/memories/new-memory.js';
import { type RecallInput, recall } from '../src/engine/memories/recall/recall.js';
import { refreshForms } from '../src/engine/memories/refresh-forms.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import type { MemoryFilter, Partition } from '../src/ports/memories.js';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import { conversationQuestion, conversationTurn, turnOf, vectorOf } from './support/conversations.js';
import { createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { explainStatement, recordStatements } from './support/explain.js';

const silent = pino({ level: 'silent' });
const own = { own: true };
const tenant = 't1';
/** A partition that is large for one engine and small for the other; both keep its index. */
const size = 3000;
const smallLimit = { embedder: 'local', recallResidentMemories: '1000' };
const largeLimit = { embedder: 'local', recallResidentMemories: '5000' };

const userPartition = ({ userId }: Caller): Partition => ({ kind: 'user', userId });

async function fill(engine: Engine, caller: Caller, memories: readonly NewMemory[]) {
  const stored = [];
  for (let at = 0; at < memories.length; at += 500)
    stored.push(...(await rememberMany(engine, caller, memories.slice(at, at + 500))));
  return stored;
}

function ask(engine: Engine, caller: Caller, text: string, rest: Partial<RecallInput> = {}) {
  return recall(engine, caller, { text, embedding: vectorOf(text), scope: own, limit: 10, ...rest });
}

async function contentsOf(...asked: Parameters<typeof ask>): Promise<string[]> {
  return (await ask(...asked)).map(({ memory }) => memory.content);
}

describe.runIf(inject('postgresUrl') !== null)('a scope too large for memory', () => {
  let database: TestDatabase;
  let large: RunningEngine;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    large = await startEngine(database.config(smallLimit), silent);
  });
  afterAll(async () => {
    await large?.close();
    await database?.remove();
  });

  const query = async (sql: string, values: unknown[] = []) => (await large.database.pool.query(sql, values)).rows;

  /** The engine tends its partitions by itself too, and two never do it at the same time. */
  async function tendUntil(done: () => Promise<boolean>, engine = large.engine) {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
      await tendLargePartitions(engine);
      if (await done()) return;
    }
    throw new Error('tending changes nothing');
  }

  /** The index says of what is at or below its mark exactly what the memories say, and nothing else. */
  async function expectConsistent(partition: string) {
    const inMemories = `SELECT m.seq, u.term, u.occurrences, m.term_count FROM memhall.memories m
      JOIN memhall.large_partitions l ON l.tenant_id = m.tenant_id AND l.partition = m.partition AND m.revision <= l.indexed_up_to
      CROSS JOIN LATERAL memhall.unpack_terms(m.terms) u WHERE m.tenant_id = '${tenant}' AND m.partition = '${partition}'`;
    const inIndex = `SELECT seq, term, occurrences, term_count FROM memhall.memory_postings
      WHERE tenant_id = '${tenant}' AND partition = '${partition}'`;
    const counts = `SELECT term, memory_count::bigint FROM memhall.memory_terms WHERE tenant_id = '${tenant}' AND partition = '${partition}'`;
    const counted = `SELECT term, count(*) FROM (${inIndex}) p GROUP BY term`;
    for (const [a, b] of [
      [inMemories, inIndex],
      [inIndex, inMemories],
      [counts, counted],
      [counted, counts],
    ]) {
      expect(await query(`(${a}) EXCEPT (${b}) LIMIT 5`)).toEqual([]);
    }
    const [totals] = await query(
      `SELECT l.memory_count::int AS said, l.term_count::int AS said_terms, count(m.*)::int AS are, coalesce(sum(m.term_count), 0)::int AS terms
       FROM memhall.large_partitions l LEFT JOIN memhall.memories m
         ON m.tenant_id = l.tenant_id AND m.partition = l.partition AND m.revision <= l.indexed_up_to
       WHERE l.tenant_id = $1 AND l.partition = $2 GROUP BY 1, 2`,
      [tenant, partition],
    );
    expect(totals).toMatchObject({ said: totals.are, said_terms: totals.terms });
  }

  describe('beside the same scope in memory', () => {
    const me = callerOf('agrees', tenant);
    let resident: RunningEngine;
    beforeAll(async () => {
      resident = await startEngine(database.config(largeLimit), silent);
      await fill(
        resident.engine,
        me,
        Array.from({ length: size }, (_, number) => conversationTurn(number)),
      );
      // What is in memory stays there.
      await ask(resident.engine, me, 'warm up');
      await indexPartition(large.engine, tenant, userPartition(me));
      const made = `SELECT FROM pg_indexes WHERE indexdef LIKE '%hnsw%u:agrees%'`;
      await tendUntil(async () => (await query(made)).length === 1);
      await query('ANALYZE memhall.memories; ANALYZE memhall.memory_postings');
    });
    afterAll(() => resident?.close());

    async function agreement(rest: Partial<RecallInput>, questions = 40) {
      let wanted = 0;
      let found = 0;
      for (let number = 0; number < questions; number++) {
        const text = conversationQuestion(number);
        const exact = await ask(resident.engine, me, text, rest);
        const ids = new Set((await ask(large.engine, me, text, rest)).map(({ memory }) => memory.id));
        wanted += exact.length;
        found += exact.filter(({ memory }) => ids.has(memory.id)).length;
      }
      expect(wanted).toBeGreaterThan(questions);
      return found / wanted;
    }

    it('is not in memory', async () => {
      expect(
        await large.engine.segments.get({ tenantId: tenant, userId: me.userId }, userPartition(me)),
      ).toBeUndefined();
      expect(large.engine.segments.count).toBe(0);
      expect(resident.engine.segments.count).toBe(1);
    });

    it.each([['both'], ['lexical'], ['dense']] as const)('gives nearly the same answers (%s)', async (arms) => {
      expect(await agreement({ arms })).toBeGreaterThan(0.95);
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
    ])('gives nearly the same answers narrowed by %s', async (_name, filter) => {
      expect(await agreement({ filter }, 12)).toBeGreaterThan(0.95);
    });

    it('answers a clear match first, with the same score', async () => {
      for (const number of [17, 512, 2801]) {
        const { content } = conversationTurn(number);
        const [exact] = await ask(resident.engine, me, content);
        const [found] = await ask(large.engine, me, content);
        expect(found?.memory.content).toBe(content);
        expect(found?.score).toBeCloseTo(exact?.score ?? 0, 2);
      }
    });

    it('finds nothing where nothing fits', async () => {
      expect(await ask(large.engine, me, 'zyzzyva', { arms: 'lexical' })).toEqual([]);
      expect(await ask(large.engine, me, 'garden', { filter: { tags: ['none has this'] } })).toEqual([]);
    });

    it('is not fooled by filters that refuse what is nearest', async () => {
      const text = 'garden tomato watering';
      const farAway = { metadata: { group: 4 }, occurredFrom: new Date('2023-03-01') };
      const found = await ask(large.engine, me, text, { filter: farAway });
      expect(found).toHaveLength(10);
      for (const { memory } of found) expect(memory.metadata).toEqual({ group: 4 });
    });

    it('is found by its indexes, as the application role', async () => {
      const sent: string[] = [];
      const traced = await startEngine(database.config(smallLimit), silent, { tracer: recordStatements(sent) });
      const text = conversationQuestion(1);
      await ask(traced.engine, me, text);
      await traced.close();
      const explain = (part: string, values: unknown[], settings = {}) =>
        explainStatement(large.database, me, sent.find((one) => one.includes(part)) ?? '', { values, settings });
      const place = [tenant, 'u:agrees'];
      const now = new Date().toISOString();

      const model = large.engine.segments.model?.name;
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

    it('is nobody else’s', async () => {
      const text = conversationTurn(5).content;
      for (const other of [callerOf('agrees', 't2'), callerOf('agree', tenant), callerOf('agreess', tenant)])
        expect(await ask(large.engine, other, text, { scope: { own: true, public: true } })).toEqual([]);
    });
  });

  it('puts pinned matches first where that is asked for, however many fit better', async () => {
    const me = callerOf('pins', tenant);
    const pinned = 'Long ago, among the many animals of a far country that nobody had seen before, lived a quokka.';
    await fill(large.engine, me, [
      ...Array.from({ length: 1200 }, (_, number) => turnOf(`Quokka ${number}, quokka!`)),
      turnOf(pinned, { isPinned: true }),
    ]);
    await indexPartition(large.engine, tenant, userPartition(me));
    for (const arms of ['both', 'lexical'] as const) {
      expect((await contentsOf(large.engine, me, 'quokka', { arms, pinnedFirst: true }))[0]).toBe(pinned);
      expect(await contentsOf(large.engine, me, 'quokka', { arms })).not.toContain(pinned);
    }
  });

  describe('that changes', () => {
    const me = callerOf('changes', tenant);
    const partition = 'u:changes';
    let ids: string[];
    beforeAll(async () => {
      const stored = await fill(
        large.engine,
        me,
        Array.from({ length: 1500 }, (_, number) => conversationTurn(number)),
      );
      ids = stored.map(({ memory }) => memory.id);
      await indexPartition(large.engine, tenant, userPartition(me));
    });

    it('shows every write at once, indexed or not', async () => {
      for (const indexed of [false, true]) {
        const settle = async () => {
          if (indexed) await indexPartition(large.engine, tenant, userPartition(me));
          await expectConsistent(partition);
        };
        const [stored] = await fill(large.engine, me, [turnOf(`The quokka smiles ${indexed}.`)]);
        await settle();
        expect((await contentsOf(large.engine, me, 'quokka', { arms: 'lexical' }))[0]).toBe(
          `The quokka smiles ${indexed}.`,
        );
        expect((await contentsOf(large.engine, me, 'quokka smiles', { arms: 'dense' }))[0]).toMatch(/quokka/);
        await updateMemory(large.engine, me, stored?.memory.id ?? '', { content: `The numbat sleeps ${indexed}.` });
        await settle();
        expect(await contentsOf(large.engine, me, 'quokka', { arms: 'lexical' })).toEqual([]);
        expect((await contentsOf(large.engine, me, 'numbat', { arms: 'lexical' }))[0]).toBe(
          `The numbat sleeps ${indexed}.`,
        );
        await forgetMemories(large.engine, me, [stored?.memory.id ?? '']);
        await settle();
        expect(await contentsOf(large.engine, me, 'numbat', { arms: 'lexical' })).toEqual([]);
        expect(await contentsOf(large.engine, me, 'numbat', { arms: 'dense' })).not.toContain(
          `The numbat sleeps ${indexed}.`,
        );
      }
    });

    it('never shows what has expired', async () => {
      const soon = new Date(Date.now() + 1000);
      await fill(large.engine, me, [turnOf('The axolotl regrows.', { expiresAt: soon })]);
      await indexPartition(large.engine, tenant, userPartition(me));
      expect(await ask(large.engine, me, 'axolotl')).not.toEqual([]);
      await sleep(soon.getTime() - Date.now() + 5);
      expect(await contentsOf(large.engine, me, 'axolotl', { arms: 'lexical' })).toEqual([]);
      expect(await contentsOf(large.engine, me, 'axolotl regrows')).not.toContain('The axolotl regrows.');
      await expireMemories(large.engine, tenant);
      await expectConsistent(partition);
    });

    it('keeps its index right while it is written to and indexed at the same time', async () => {
      let writing = true;
      const indexing = (async () => {
        while (writing) await indexPartition(large.engine, tenant, userPartition(me));
      })();
      await Promise.all([
        ...Array.from({ length: 4 }, async (_, writer) => {
          for (let round = 0; round < 8; round++)
            await fill(
              large.engine,
              me,
              [0, 1, 2].map((n) => turnOf(`wombat ${'abcd'[writer]} ${round} ${n} digs`)),
            );
        }),
        (async () => {
          for (const id of ids.slice(0, 40)) await forgetMemories(large.engine, me, [id]);
        })(),
        (async () => {
          for (const id of ids.slice(40, 80)) await updateMemory(large.engine, me, id, { content: `changed ${id}` });
        })(),
      ]);
      writing = false;
      await indexing;
      await expectConsistent(partition);
      await indexPartition(large.engine, tenant, userPartition(me));
      await expectConsistent(partition);
      expect(await ask(large.engine, me, 'wombat', { arms: 'lexical', limit: 200 })).toHaveLength(96);
    });
  });

  describe('before its index is there', () => {
    it('is answered all the same, and the index is made', async () => {
      const me = callerOf('new', tenant);
      await fill(
        large.engine,
        me,
        Array.from({ length: 1200 }, (_, number) => conversationTurn(number)),
      );
      const { content } = conversationTurn(777);
      expect((await contentsOf(large.engine, me, content))[0]).toBe(content);
      const worker = await startEngine(database.config({ ...smallLimit, jobs: 'true' }), silent);
      const ready = `SELECT is_ready FROM memhall.large_partitions WHERE partition = 'u:new'`;
      for (const deadline = Date.now() + 20_000; (await query(ready))[0]?.is_ready !== true; await sleep(20))
        if (Date.now() > deadline) throw new Error('nobody made the index');
      await worker.close();
      expect((await contentsOf(large.engine, me, content))[0]).toBe(content);
    });
  });

  describe('that shrinks or goes', () => {
    const tables = ['large_partitions', 'memory_postings', 'memory_terms'];
    const left = async (partition: string) =>
      Promise.all(
        tables.map(
          async (table) => (await query(`SELECT FROM memhall.${table} WHERE partition = $1`, [partition])).length,
        ),
      );
    const vectorIndexes = async (partition: string) =>
      query(
        `SELECT FROM pg_indexes WHERE schemaname = 'memhall' AND indexname LIKE 'memories\\_vectors\\_%' AND indexdef LIKE '%' || quote_literal($1) || '%'`,
        [partition],
      );

    it('loses its index when it fits into memory again', async () => {
      const me = callerOf('shrinks', tenant);
      const stored = await fill(
        large.engine,
        me,
        Array.from({ length: 1100 }, (_, number) => conversationTurn(number)),
      );
      await indexPartition(large.engine, tenant, userPartition(me));
      await forgetMemories(
        large.engine,
        me,
        stored.slice(0, 700).map(({ memory }) => memory.id),
      );
      await expectConsistent('u:shrinks');
      await tendLargePartitions(large.engine);
      expect(await left('u:shrinks')).toEqual([0, 0, 0]);
      const { content } = conversationTurn(900);
      expect((await contentsOf(large.engine, me, content))[0]).toBe(content);
      const held = await large.engine.segments.get({ tenantId: tenant, userId: me.userId }, userPartition(me));
      expect(held?.count).toBe(400);
    });

    it('leaves nothing when its last memory is forgotten', async () => {
      const me = callerOf('goes', tenant);
      const stored = await fill(
        large.engine,
        me,
        Array.from({ length: 1100 }, (_, number) => conversationTurn(number)),
      );
      await indexPartition(large.engine, tenant, userPartition(me));
      await tendUntil(async () => (await vectorIndexes('u:goes')).length === 1);
      await forgetMemories(
        large.engine,
        me,
        stored.map(({ memory }) => memory.id),
      );
      expect(await left('u:goes')).toEqual([0, 0, 0]);
      await tendUntil(async () => (await vectorIndexes('u:goes')).length === 0);
    });

    it('leaves nothing when its namespace is deleted', async () => {
      const name = "team's";
      const me = callerOf('member', tenant, [name]);
      await putNamespace(large.engine, me, { name, kind: 'team', expiresAt: null, metadata: null });
      const turns = Array.from({ length: 1100 }, (_, number) => ({
        ...conversationTurn(number),
        visibility: { namespace: name },
      }));
      await fill(large.engine, me, turns);
      await indexPartition(large.engine, tenant, { kind: 'namespace', name });
      await tendUntil(async () => (await vectorIndexes(`n:${name}`)).length === 1);
      const { content } = conversationTurn(321);
      const scope = { namespaces: [name] };
      expect((await contentsOf(large.engine, me, content, { scope }))[0]).toBe(content);
      expect(await ask(large.engine, callerOf('member', tenant), content, { scope })).toEqual([]);
      await deleteNamespace(large.engine, me, name);
      expect(await left(`n:${name}`)).toEqual([0, 0, 0]);
      await tendUntil(async () => (await vectorIndexes(`n:${name}`)).length === 0);
    });
  });

  it('is searched together with what is in memory', async () => {
    const me = callerOf('both', tenant);
    await fill(
      large.engine,
      me,
      Array.from({ length: 1100 }, (_, number) => conversationTurn(number)),
    );
    await indexPartition(large.engine, tenant, userPartition(me));
    await fill(large.engine, me, [turnOf('The pangolin is public.', { visibility: 'public' })]);
    const { content } = conversationTurn(444);
    const scope = { own: true, public: true };
    expect((await contentsOf(large.engine, me, content, { scope }))[0]).toBe(content);
    expect((await contentsOf(large.engine, me, 'public pangolin', { scope }))[0]).toBe('The pangolin is public.');
  });

  it('gets vectors of the new model into an index of their own when the embedder changes', {
    timeout: 120_000,
  }, async () => {
    const remote = new FakeEmbeddingsServer();
    await remote.start();
    const me = callerOf('moves', 'moving');
    await fill(
      large.engine,
      me,
      Array.from({ length: 1100 }, (_, number) => conversationTurn(number)),
    );
    await indexPartition(large.engine, 'moving', userPartition(me));
    await tendLargePartitions(large.engine);
    const settings = {
      embedder: 'openai',
      embedderUrl: remote.baseUrl,
      embedderModel: 'fake',
      embedderDimension: '16',
    };
    const other = await startEngine(database.config({ ...smallLimit, ...settings }), silent);
    try {
      await refreshForms(other.engine, 'moving');
      await indexPartition(other.engine, 'moving', userPartition(me));
      await tendUntil(async () => {
        const indexes = await query(`SELECT indexdef FROM pg_indexes WHERE indexdef LIKE '%u:moves%'`);
        return indexes.length === 1 && indexes[0].indexdef.includes("'fake'");
      }, other.engine);
      const { content } = conversationTurn(600);
      const [vector = new Float32Array()] = (await other.engine.embedder?.embed([content])) ?? [];
      const input = { text: content, embedding: [...vector], scope: own, limit: 5, explain: true };
      const [found] = await recall(other.engine, me, input);
      expect(found?.memory.content).toBe(content);
      expect(found?.explanation?.cosine).toBeGreaterThan(0.9);
    } finally {
      await other.close();
      await remote.stop();
    }
  });
});

describe.runIf(inject('postgresUrl') !== null)('building a vector index', () => {
  let database: TestDatabase;
  let running: RunningEngine;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    running = await startEngine(database.config(smallLimit), silent);
  });
  afterAll(async () => {
    await running?.close();
    await database?.remove();
  });

  it('ends when the server does, and is taken up again', async () => {
    const { engine } = running;
    const { pool } = running.database;
    const me = callerOf('stops', tenant);
    const turns = Array.from({ length: 1100 }, (_, number) => conversationTurn(number));
    await fill(engine, me, turns);
    await indexPartition(engine, tenant, userPartition(me));
    // An index that is built beside writers waits for those that began before.
    const writer = await pool.connect();
    await writer.query('BEGIN; LOCK TABLE memhall.memories IN ROW EXCLUSIVE MODE');
    const controller = new AbortController();
    const building = tendLargePartitions(engine, controller.signal);
    const outcome = expect(building).rejects.toThrow();
    const waiting = `SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'`;
    for (const deadline = Date.now() + 20_000; (await pool.query(waiting)).rowCount === 0; await sleep(20))
      if (Date.now() > deadline) throw new Error('nobody builds an index');
    controller.abort();
    await outcome;
    await writer.query('ROLLBACK');
    writer.release();
    const indexes = `SELECT indisvalid FROM pg_index WHERE pg_get_indexdef(indexrelid) LIKE '%hnsw%u:stops%'`;
    expect((await pool.query(indexes)).rows).toEqual([{ indisvalid: false }]);
    await tendLargePartitions(engine);
    expect((await pool.query(indexes)).rows).toEqual([{ indisvalid: true }]);
  });
});

describe.runIf(inject('postgresUrl') !== null)('another embedder', () => {
  const remote = new FakeEmbeddingsServer();
  let database: TestDatabase;
  beforeAll(async () => {
    await remote.start();
    database = await createTestDatabase('postgres');
  });
  afterAll(async () => {
    await database?.remove();
    await remote.stop();
  });

  it('gets an index of its own vectors, and that of the former one goes', async () => {
    const me = callerOf('moves', tenant);
    const turns = Array.from({ length: 1100 }, (_, number) => conversationTurn(number));
    const former = await startEngine(database.config(smallLimit), silent);
    await fill(former.engine, me, turns);
    await indexPartition(former.engine, tenant, userPartition(me));
    await tendLargePartitions(former.engine);
    await former.close();
    const settings = {
      embedder: 'openai',
      embedderUrl: remote.baseUrl,
      embedderModel: 'fake',
      embedderDimension: '16',
    };
    const {
      engine,
      database: opened,
      close,
    } = await startEngine(database.config({ ...smallLimit, ...settings }), silent);
    await refreshForms(engine, tenant);
    await indexPartition(engine, tenant, userPartition(me));
    await tendLargePartitions(engine);
    const { rows } = await opened.pool.query(`SELECT indexdef FROM pg_indexes WHERE indexdef LIKE '%hnsw%u:moves%'`);
    expect(rows).toEqual([{ indexdef: expect.stringContaining("'fake'") }]);
    const { content } = conversationTurn(600);
    const [vector = new Float32Array()] = (await engine.embedder?.embed([content])) ?? [];
    const input = { text: content, embedding: [...vector], scope: own, limit: 5, explain: true };
    const [found] = await recall(engine, me, input);
    expect(found?.memory.content).toBe(content);
    expect(found?.explanation?.cosine).toBeGreaterThan(0.9);
    await close();
  });
});

describeEachDatabase('a limit of memories held', (database) => {
  it('binds PostgreSQL; the embedded database holds whatever is searched', async () => {
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

describe('the embedded database, which counts nothing by itself', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database?.remove());

  it('finds the memories to show by their index once it has been told to count', async () => {
    const sent: string[] = [];
    const tracer = recordStatements(sent);
    const running = await startEngine(database.config({ embedder: 'none' }), silent, { tracer });
    const me = callerOf('counted', tenant);
    const facts = Array.from({ length: 2000 }, (_, n) => ({ content: `number ${n} of many`, kind: 'fact' }));
    await fill(running.engine, me, facts);
    await recall(running.engine, me, { text: 'number 17', scope: own, limit: 3 });
    const fetching = sent.find((one) => one.includes('seq = ANY')) ?? '';
    await running.engine.store.refreshStatistics();
    const plan = await explainStatement(running.database, me, fetching);
    expect(plan).toMatch(/memories_order[\s\S]*Index Cond: .*seq = ANY/);
    await running.close();
  });
});
