import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type RunningEngine, startEngine } from '../../src/composition/start-engine.js';
import type { Caller } from '../../src/engine/caller.js';
import type { Engine } from '../../src/engine/engine.js';
import type { NewMemory } from '../../src/engine/memories/new-memory.js';
import { recall } from '../../src/engine/memories/recall/recall.js';
import type { RecallInput } from '../../src/engine/memories/recall/search-scope.js';
import { tendLargePartitions } from '../../src/engine/memories/recall/tend-large-partitions.js';
import { rememberMany } from '../../src/engine/memories/remember.js';
import type { Partition } from '../../src/ports/memories.js';
import { conversationTurn, vectorOf } from './conversations.js';
import { createTestDatabase, type TestDatabase } from './databases.js';

export const silent = pino({ level: 'silent' });
export const own = { own: true };
export const tenant = 't1';
/** With these settings, an engine indexes partitions of more than a thousand memories and keeps none in memory. */
export const smallLimit = { embedder: 'local', recallResidentMemories: '1000' };

export const userPartition = ({ userId }: Caller): Partition => ({ kind: 'user', userId });

export const turns = (count: number): NewMemory[] =>
  Array.from({ length: count }, (_, number) => conversationTurn(number));

export async function fill(engine: Engine, caller: Caller, memories: readonly NewMemory[]) {
  const stored = [];
  for (let at = 0; at < memories.length; at += 500)
    stored.push(...(await rememberMany(engine, caller, memories.slice(at, at + 500))));
  return stored;
}

export function ask(engine: Engine, caller: Caller, text: string, rest: Partial<RecallInput> = {}) {
  return recall(engine, caller, { text, embedding: vectorOf(text), scope: own, limit: 10, ...rest });
}

export async function contentsOf(...asked: Parameters<typeof ask>): Promise<string[]> {
  return (await ask(...asked)).map(({ memory }) => memory.content);
}

/** An engine on its own PostgreSQL database that keeps at most a thousand memories of a partition in memory. */
export class SmallEngine {
  readonly database: TestDatabase;
  readonly #running: RunningEngine;

  private constructor(database: TestDatabase, running: RunningEngine) {
    this.database = database;
    this.#running = running;
  }

  static async start(): Promise<SmallEngine> {
    const database = await createTestDatabase('postgres');
    return new SmallEngine(database, await startEngine(database.config(smallLimit), silent));
  }

  get engine(): Engine {
    return this.#running.engine;
  }

  get opened(): RunningEngine['database'] {
    return this.#running.database;
  }

  async query(sql: string, values: unknown[] = []) {
    return (await this.opened.pool.query(sql, values)).rows;
  }

  async close(): Promise<void> {
    await this.#running.close();
    await this.database.remove();
  }

  /** Tends partitions until `done`. Repeats because the engine tends them too and two never do so at the same time. */
  async tendUntil(done: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
      await tendLargePartitions(this.engine);
      if (await done()) return;
    }
    throw new Error('tending changes nothing');
  }

  /** Expects the index to match the memories exactly, up to the mark of the index. */
  async expectConsistent(partition: string): Promise<void> {
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
      expect(await this.query(`(${a}) EXCEPT (${b}) LIMIT 5`)).toEqual([]);
    }
    const [totals] = await this.query(
      `SELECT l.memory_count::int AS said, l.term_count::int AS said_terms, count(m.*)::int AS are, coalesce(sum(m.term_count), 0)::int AS terms
       FROM memhall.large_partitions l LEFT JOIN memhall.memories m
         ON m.tenant_id = l.tenant_id AND m.partition = l.partition AND m.revision <= l.indexed_up_to
       WHERE l.tenant_id = $1 AND l.partition = $2 GROUP BY 1, 2`,
      [tenant, partition],
    );
    expect(totals).toMatchObject({ said: totals.are, said_terms: totals.terms });
  }
}
