import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { indexPartition, tendLargePartitions } from '../src/engine/memories/recall/tend-large-partitions.js';
import { refreshForms } from '../src/engine/memories/refresh-forms.js';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import { conversationTurn } from './support/conversations.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { fill, own, SmallEngine, silent, smallLimit, tenant, turns, userPartition } from './support/large-scope.js';

describe.runIf(inject('postgresUrl') !== null)('building a vector index', () => {
  let small: SmallEngine;
  beforeAll(async () => {
    small = await SmallEngine.start();
  });
  afterAll(() => small?.close());

  it('stops when the server stops and resumes later', async () => {
    const { engine } = small;
    const { pool } = small.opened;
    const me = callerOf('stops', tenant);
    await fill(engine, me, turns(1100));
    await indexPartition(engine, tenant, userPartition(me));
    // An index that is built concurrently waits for writers that started before it.
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

describe.runIf(inject('postgresUrl') !== null)('switching the embedder', () => {
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

  it('builds an index for the new vectors and drops the old one', async () => {
    const me = callerOf('moves', tenant);
    const former = await startEngine(database.config(smallLimit), silent);
    await fill(former.engine, me, turns(1100));
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
    expect(rows).toEqual([{ indexdef: expect.stringContaining("'fake@16'") }]);
    const { content } = conversationTurn(600);
    const [vector = new Float32Array()] = (await engine.embedder?.embed([content])) ?? [];
    const input = { text: content, embedding: [...vector], scope: own, limit: 5, explain: true };
    const [found] = await recall(engine, me, input);
    expect(found?.memory.content).toBe(content);
    expect(found?.explanation?.cosine).toBeGreaterThan(0.9);
    await close();
  });
});
