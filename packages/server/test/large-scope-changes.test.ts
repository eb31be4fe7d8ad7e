import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { expireMemories } from '../src/engine/memories/expire-memories.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { deleteNamespace, putNamespace } from '../src/engine/memories/namespaces.js';
import { indexPartition, tendLargePartitions } from '../src/engine/memories/recall/tend-large-partitions.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { conversationTurn, turnOf } from './support/conversations.js';
import { callerOf } from './support/engine.js';
import {
  ask,
  contentsOf,
  fill,
  SmallEngine,
  silent,
  smallLimit,
  tenant,
  turns,
  userPartition,
} from './support/large-scope.js';

describe.runIf(inject('postgresUrl') !== null)('a scope too large for memory', () => {
  let small: SmallEngine;
  beforeAll(async () => {
    small = await SmallEngine.start();
  });
  afterAll(() => small?.close());

  describe('that changes', () => {
    const me = callerOf('changes', tenant);
    const partition = 'u:changes';
    let ids: string[];
    beforeAll(async () => {
      const stored = await fill(small.engine, me, turns(1500));
      ids = stored.map(({ memory }) => memory.id);
      await indexPartition(small.engine, tenant, userPartition(me));
    });

    it('shows every write at once, indexed or not', async () => {
      for (const indexed of [false, true]) {
        const settle = async () => {
          if (indexed) await indexPartition(small.engine, tenant, userPartition(me));
          await small.expectConsistent(partition);
        };
        const [stored] = await fill(small.engine, me, [turnOf(`The quokka smiles ${indexed}.`)]);
        await settle();
        expect((await contentsOf(small.engine, me, 'quokka', { arms: 'lexical' }))[0]).toBe(
          `The quokka smiles ${indexed}.`,
        );
        expect((await contentsOf(small.engine, me, 'quokka smiles', { arms: 'dense' }))[0]).toMatch(/quokka/);
        await updateMemory(small.engine, me, stored?.memory.id ?? '', { content: `The numbat sleeps ${indexed}.` });
        await settle();
        expect(await contentsOf(small.engine, me, 'quokka', { arms: 'lexical' })).toEqual([]);
        expect((await contentsOf(small.engine, me, 'numbat', { arms: 'lexical' }))[0]).toBe(
          `The numbat sleeps ${indexed}.`,
        );
        await forgetMemories(small.engine, me, [stored?.memory.id ?? '']);
        await settle();
        expect(await contentsOf(small.engine, me, 'numbat', { arms: 'lexical' })).toEqual([]);
        expect(await contentsOf(small.engine, me, 'numbat', { arms: 'dense' })).not.toContain(
          `The numbat sleeps ${indexed}.`,
        );
      }
    });

    it('never returns expired memories', async () => {
      const soon = new Date(Date.now() + 1000);
      await fill(small.engine, me, [turnOf('The axolotl regrows.', { expiresAt: soon })]);
      await indexPartition(small.engine, tenant, userPartition(me));
      expect(await ask(small.engine, me, 'axolotl')).not.toEqual([]);
      await sleep(soon.getTime() - Date.now() + 5);
      expect(await contentsOf(small.engine, me, 'axolotl', { arms: 'lexical' })).toEqual([]);
      expect(await contentsOf(small.engine, me, 'axolotl regrows')).not.toContain('The axolotl regrows.');
      await expireMemories(small.engine, tenant);
      await small.expectConsistent(partition);
    });

    it('keeps its index correct while it is written and indexed concurrently', async () => {
      let writing = true;
      const indexing = (async () => {
        while (writing) await indexPartition(small.engine, tenant, userPartition(me));
      })();
      await Promise.all([
        ...Array.from({ length: 4 }, async (_, writer) => {
          for (let round = 0; round < 8; round++)
            await fill(
              small.engine,
              me,
              [0, 1, 2].map((n) => turnOf(`wombat ${'abcd'[writer]} ${round} ${n} digs`)),
            );
        }),
        (async () => {
          for (const id of ids.slice(0, 40)) await forgetMemories(small.engine, me, [id]);
        })(),
        (async () => {
          for (const id of ids.slice(40, 80)) await updateMemory(small.engine, me, id, { content: `changed ${id}` });
        })(),
      ]);
      writing = false;
      await indexing;
      await small.expectConsistent(partition);
      await indexPartition(small.engine, tenant, userPartition(me));
      await small.expectConsistent(partition);
      expect(await ask(small.engine, me, 'wombat', { arms: 'lexical', limit: 200 })).toHaveLength(96);
    });
  });

  describe('before its index exists', () => {
    it('is searched anyway, and the index is built', async () => {
      const me = callerOf('new', tenant);
      await fill(small.engine, me, turns(1200));
      const { content } = conversationTurn(777);
      expect((await contentsOf(small.engine, me, content))[0]).toBe(content);
      const worker = await startEngine(small.database.config({ ...smallLimit, jobs: 'true' }), silent);
      const ready = `SELECT is_ready FROM memhall.large_partitions WHERE partition = 'u:new'`;
      for (const deadline = Date.now() + 20_000; (await small.query(ready))[0]?.is_ready !== true; await sleep(20))
        if (Date.now() > deadline) throw new Error('nobody made the index');
      await worker.close();
      expect((await contentsOf(small.engine, me, content))[0]).toBe(content);
    });
  });

  describe('that shrinks or is removed', () => {
    const tables = ['large_partitions', 'memory_postings', 'memory_terms'];
    const left = async (partition: string) =>
      Promise.all(
        tables.map(
          async (table) => (await small.query(`SELECT FROM memhall.${table} WHERE partition = $1`, [partition])).length,
        ),
      );
    const vectorIndexes = async (partition: string) =>
      small.query(
        `SELECT FROM pg_indexes WHERE schemaname = 'memhall' AND indexname LIKE 'memories\\_vectors\\_%' AND indexdef LIKE '%' || quote_literal($1) || '%'`,
        [partition],
      );

    it('loses its index when it fits into memory again', async () => {
      const me = callerOf('shrinks', tenant);
      const stored = await fill(small.engine, me, turns(1100));
      await indexPartition(small.engine, tenant, userPartition(me));
      await forgetMemories(
        small.engine,
        me,
        stored.slice(0, 700).map(({ memory }) => memory.id),
      );
      await small.expectConsistent('u:shrinks');
      await tendLargePartitions(small.engine);
      expect(await left('u:shrinks')).toEqual([0, 0, 0]);
      const { content } = conversationTurn(900);
      expect((await contentsOf(small.engine, me, content))[0]).toBe(content);
      const held = await small.engine.segments.get({ tenantId: tenant, userId: me.userId }, userPartition(me));
      expect(held?.count).toBe(400);
    });

    it('leaves nothing behind when its last memory is forgotten', async () => {
      const me = callerOf('goes', tenant);
      const stored = await fill(small.engine, me, turns(1100));
      await indexPartition(small.engine, tenant, userPartition(me));
      await small.tendUntil(async () => (await vectorIndexes('u:goes')).length === 1);
      await forgetMemories(
        small.engine,
        me,
        stored.map(({ memory }) => memory.id),
      );
      expect(await left('u:goes')).toEqual([0, 0, 0]);
      await small.tendUntil(async () => (await vectorIndexes('u:goes')).length === 0);
    });

    it('leaves nothing behind when its namespace is deleted', async () => {
      const name = "team's";
      const me = callerOf('member', tenant, [name]);
      await putNamespace(small.engine, me, { name, kind: 'team', expiresAt: null, metadata: null });
      const turns = Array.from({ length: 1100 }, (_, number) => ({
        ...conversationTurn(number),
        visibility: { namespace: name },
      }));
      await fill(small.engine, me, turns);
      await indexPartition(small.engine, tenant, { kind: 'namespace', name });
      await small.tendUntil(async () => (await vectorIndexes(`n:${name}`)).length === 1);
      const { content } = conversationTurn(321);
      const scope = { namespaces: [name] };
      expect((await contentsOf(small.engine, me, content, { scope }))[0]).toBe(content);
      expect(await ask(small.engine, callerOf('member', tenant), content, { scope })).toEqual([]);
      await deleteNamespace(small.engine, me, name);
      expect(await left(`n:${name}`)).toEqual([0, 0, 0]);
      await small.tendUntil(async () => (await vectorIndexes(`n:${name}`)).length === 0);
    });
  });
});
