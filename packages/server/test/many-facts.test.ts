import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningEngine, startEngine } from '../src/composition/start-engine.js';
import { putFact } from '../src/engine/facts/put-fact.js';
import { toMember } from '../src/engine/one-memory/member.js';
import { noClaims } from '../src/engine/one-memory/namespace-grants.js';
import { recallAny } from '../src/engine/one-memory/recall-any.js';
import { rememberAny } from '../src/engine/one-memory/remember-any.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { silent } from './support/large-scope.js';

const tenant = 't1';
const otherFacts = 2000;
const attributes = ['likes', 'lives in', 'works at', 'status', 'visited'];

/** The embedded database has one connection, so what it has read can be counted, and no statistics that would help the planner. */
describe('a user with many facts', () => {
  let database: TestDatabase;
  let running: RunningEngine;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    running = await startEngine(database.config({ embedder: 'none' }), silent);
    await running.database.pool.query(
      `WITH given AS (SELECT n, ($1::text[])[1 + n % ${attributes.length}] AS attribute FROM generate_series(1, ${otherFacts}) AS n),
       stored AS (INSERT INTO memhall.facts
         SELECT '${tenant}', 'many', 'f' || n, s, s, attribute, attribute, 'value ' || n, 'value ' || n, 'text', now()
         FROM given CROSS JOIN LATERAL (SELECT 'person ' || n / 5) AS who (s) RETURNING fact_id)
       INSERT INTO memhall.fact_states (tenant_id, user_id, seq, fact_id, at, change, reason, cause, standing, valid_from, trust,
         confidence, replaces, is_stated)
       SELECT '${tenant}', 'many', row_number() OVER (), fact_id, now() - interval '1 day', 'recorded', 'believed', fact_id, 'held',
         now() - interval '1 day', 'user', 1, true, true FROM stored`,
      [attributes],
    );
  });
  afterAll(async () => {
    await running?.close();
    await database?.remove();
  });

  /** Rows and index entries of facts, their states and evidence that a call reads, after some calls of the same kind. */
  async function readBy(work: () => Promise<unknown>): Promise<number> {
    const { pool } = running.database;
    const count = async () => {
      await pool.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: string }>(
        `SELECT sum(idx_tup_read) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname LIKE 'fact%') AS read
         FROM pg_stat_user_indexes WHERE relname LIKE 'fact%'`,
      );
      return Number(rows[0]?.read);
    };
    const before = await count();
    await work();
    return (await count()) - before;
  }

  const member = (user: string) => toMember(callerOf(user, tenant), noClaims);
  const remember = (user: string, content: string) =>
    rememberAny(running.engine, member(user), [{ content, kind: 'note', visibility: 'private' }]);

  const calls: [string, (user: string, number: number) => Promise<unknown>][] = [
    [
      'remembering a statement',
      (user, number) => remember(user, `I moved to ${['Oslo', 'Turku', 'Ghent'][number % 3]}.`),
    ],
    [
      'stating a fact',
      (user, number) =>
        putFact(running.engine, callerOf(user, tenant), {
          subject: 'me',
          attribute: 'status',
          value: `step ${number}`,
        }),
    ],
    ['recalling', (user) => recallAny(running.engine, member(user), { text: 'Where do I live?', limit: 5 })],
  ];

  it.each(calls)('reads no more for %s than one with few', async (_, call) => {
    const read = { few: 0, many: 0 };
    for (const user of ['few', 'many'] as const) {
      for (let number = 0; number < 6; number++) read[user] = await readBy(() => call(user, number));
    }
    expect(read.few).toBeLessThan(200);
    expect(read.many).toBeLessThan(read.few + 20);
  });
});
