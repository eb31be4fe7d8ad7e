import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { explainStatement, recordStatements } from './support/explain.js';
import { fill, own, silent, tenant } from './support/large-scope.js';

describe('the embedded database, which does not collect statistics automatically', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database?.remove());

  it('fetches memories by index, before and after statistics have been refreshed', async () => {
    const sent: string[] = [];
    const tracer = recordStatements(sent);
    const running = await startEngine(database.config({ embedder: 'none' }), silent, { tracer });
    const me = callerOf('counted', tenant);
    const facts = Array.from({ length: 2000 }, (_, n) => ({ content: `number ${n} of many`, kind: 'fact' as const }));
    await fill(running.engine, me, facts);
    await recall(running.engine, me, { text: 'number 17', scope: own, limit: 3 });
    const fetching = sent.find((one) => one.includes('seq BETWEEN')) ?? '';
    const byIndex = /memories_order[\s\S]*Index Cond: .*seq >= wanted/;
    expect(await explainStatement(running.database, me, fetching)).toMatch(byIndex);
    await running.engine.store.refreshStatistics();
    expect(await explainStatement(running.database, me, fetching)).toMatch(byIndex);
    await running.close();
  });
});
