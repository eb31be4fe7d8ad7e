import { uuidv7 } from '@memhall/core';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { listAudit } from '../src/engine/audit/list-audit.js';
import { verifyAudit, verifyUserAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import type { Engine } from '../src/engine/engine.js';
import { clearWorkingValues, deleteWorkingValue, putWorkingValue } from '../src/engine/state/working-values.js';
import type { Database } from '../src/store/database.js';
import { describeEachDatabase } from './support/databases.js';

const always = { kind: 'none' } as const;

function callerOf(tenantId: string, userId: string): Caller {
  const actor = { userId: 'robot', serviceId: 'crm', roles: ['service'] as const };
  return { tenantId, userId, actor, operation: 'working.put', requestId: uuidv7() };
}

describeEachDatabase('the audit log', (database) => {
  let opened: Database;
  let engine: Engine;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const running = await startEngine(database().config({ embedder: 'none' }), pino({ level: 'silent' }));
    ({ engine, database: opened, close } = running);
  });
  afterAll(() => close());
  beforeEach(async () => {
    await opened.pool.query('TRUNCATE memhall.audit_records, memhall.audit_heads, memhall.working_values');
  });

  const put = (caller: Caller, key: string, value = 1) =>
    putWorkingValue(engine, caller, { planId: 'p', key, value, ttlSeconds: undefined, precondition: always });

  const records = async () =>
    (
      await opened.pool.query<{ record: string }>(
        'SELECT record FROM memhall.audit_records ORDER BY tenant_id, user_id, seq',
      )
    ).rows.map(({ record }) => JSON.parse(record));

  it('records who did what for whom, and never the content', async () => {
    const caller = callerOf('t1', 'u1');
    const first = await put(caller, 'k');
    await deleteWorkingValue(engine, caller, { planId: 'p', key: 'k', precondition: always });
    expect(await records()).toEqual([
      {
        version: 1,
        at: first.updatedAt.toISOString(),
        tenant_id: 't1',
        user_id: 'u1',
        actor: { user_id: 'robot', service_id: 'crm', roles: ['service'] },
        operation: 'working.put',
        target: 'working/p/k',
        pre_etag: null,
        post_etag: first.etag,
        content_sha256: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
        request_id: caller.requestId,
      },
      expect.objectContaining({ target: 'working/p/k', pre_etag: first.etag, post_etag: null, content_sha256: null }),
    ]);
  });

  it('records nothing for operations that change nothing', async () => {
    const caller = callerOf('t1', 'u1');
    await deleteWorkingValue(engine, caller, { planId: 'p', key: 'none', precondition: always });
    await clearWorkingValues(engine, caller, { planId: 'p' });
    const mismatch = { kind: 'one-of', etags: ['x'] } as const;
    const refused = { planId: 'p', key: 'k', value: 1, ttlSeconds: undefined, precondition: mismatch };
    await expect(putWorkingValue(engine, caller, refused)).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    expect(await records()).toEqual([]);
  });

  it('stores a mutation and its record together or not at all', async () => {
    await opened.pool.query('ALTER TABLE memhall.audit_records ADD CONSTRAINT nothing CHECK (false) NOT VALID');
    await expect(put(callerOf('t1', 'u1'), 'k')).rejects.toMatchObject({ code: '23514' });
    await opened.pool.query('ALTER TABLE memhall.audit_records DROP CONSTRAINT nothing');
    expect((await opened.pool.query('SELECT 1 FROM memhall.working_values')).rows).toEqual([]);
    expect(await records()).toEqual([]);
  });

  it('keeps one gapless chain per user under concurrent writers', async () => {
    const people = [callerOf('t1', 'u1'), callerOf('t1', 'u2'), callerOf('t2', 'u1')];
    await Promise.all(
      people.flatMap((caller) => Array.from({ length: 25 }, (_, index) => put(caller, `k${index % 5}`, index))),
    );
    expect(await verifyAudit(engine.store)).toEqual({ chains: 3, records: 75n, faults: [] });
    expect(await verifyAudit(engine.store, { tenantId: 't1' })).toEqual({ chains: 2, records: 50n, faults: [] });
  });

  it('lists records by operation and by who made the change', async () => {
    const robot = callerOf('t1', 'u1');
    const actor = { userId: null, serviceId: 'cron', roles: ['service'] as const };
    const cron: Caller = { ...robot, actor, operation: 'working.delete' };
    await put(robot, 'k');
    await put(robot, 'other');
    await deleteWorkingValue(engine, cron, { planId: 'p', key: 'k', precondition: always });
    const seqs = async (query: { operation?: string; author?: string }) =>
      (await listAudit(engine, robot, { limit: 10, ...query })).items.map(({ seq }) => Number(seq));
    expect(await seqs({ operation: 'working.put' })).toEqual([2, 1]);
    expect(await seqs({ author: 'robot' })).toEqual([2, 1]);
    expect(await seqs({ author: 'cron' })).toEqual([3]);
    expect(await seqs({ author: 'crm' })).toEqual([]);
    expect(await seqs({ operation: 'working.delete', author: 'robot' })).toEqual([]);
  });

  it('reads more than one page and reports progress', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => `{"target":"x","at":"${index}"}`);
    await opened.pool.query('SELECT memhall.append_audit($1, $2, $3)', ['t1', 'u1', many]);
    const seen: [bigint, bigint][] = [];
    const report = await verifyAudit(engine.store, { onProgress: (...step) => seen.push(step) });
    expect(report).toEqual({ chains: 1, records: 2500n, faults: [] });
    expect(seen.at(-1)).toEqual([2500n, 2500n]);
  });

  it('can be verified for one user', async () => {
    for (const user of ['u1', 'u2']) {
      for (const key of ['a', 'b', 'c']) await put(callerOf('t1', user), key);
    }
    await opened.pool.query(
      `UPDATE memhall.audit_records SET record = replace(record, '"u2"', '"u9"') WHERE seq = 2 AND user_id = 'u2'`,
    );
    const verify = (userId: string, tenantId = 't1') => verifyUserAudit(engine.store, { tenantId, userId });
    expect(await verify('u1')).toEqual({ records: 3n, fault: undefined });
    expect((await verify('u2')).fault).toEqual({ seq: 2n, kind: 'altered' });
    expect(await verify('u1', 't2')).toEqual({ records: 0n, fault: undefined });
  });

  it('detects any altered, missing or reordered record', async () => {
    const length = 8;
    const tampering = fc.oneof(
      fc.record({ kind: fc.constant('alter' as const), seq: fc.integer({ min: 1, max: length }) }),
      fc.record({ kind: fc.constant('remove' as const), seq: fc.integer({ min: 1, max: length }) }),
      fc
        .record({
          kind: fc.constant('swap' as const),
          seq: fc.integer({ min: 1, max: length }),
          other: fc.integer({ min: 1, max: length }),
        })
        .filter(({ seq, other }) => seq !== other),
      fc.record({ kind: fc.constant('cut' as const), seq: fc.integer({ min: 1, max: length }) }),
      fc.record({ kind: fc.constant('insert' as const), seq: fc.integer({ min: 1, max: length }) }),
      fc.record({ kind: fc.constant('head' as const), seq: fc.integer({ min: 0, max: length - 1 }) }),
    );
    const sql = (step: { kind: string; seq: number; other?: number }): string => {
      const table = 'memhall.audit_records';
      switch (step.kind) {
        case 'alter':
          return `UPDATE ${table} SET record = replace(record, '"u1"', '"u9"') WHERE seq = ${step.seq}`;
        case 'remove':
          return `DELETE FROM ${table} WHERE seq = ${step.seq}`;
        case 'swap':
          return `UPDATE ${table} AS a SET record = b.record, hash = b.hash FROM ${table} AS b
                  WHERE (a.seq, b.seq) IN ((${step.seq}, ${step.other}), (${step.other}, ${step.seq}))`;
        case 'cut':
          return `DELETE FROM ${table} WHERE seq >= ${step.seq}`;
        case 'insert':
          return `UPDATE ${table} SET seq = seq + 100 WHERE seq > ${step.seq};
                  UPDATE ${table} SET seq = seq - 99 WHERE seq > 100;
                  INSERT INTO ${table} (tenant_id, user_id, seq, record, hash)
                  SELECT tenant_id, user_id, ${step.seq + 1}, record, hash FROM ${table} WHERE seq = ${step.seq}`;
        default:
          return `UPDATE memhall.audit_heads SET seq = ${step.seq}`;
      }
    };
    await fc.assert(
      fc.asyncProperty(tampering, async (step) => {
        await opened.pool.query('TRUNCATE memhall.audit_records, memhall.audit_heads');
        for (let index = 0; index < length; index++) await put(callerOf('t1', 'u1'), `k${index}`, index);
        expect((await verifyAudit(engine.store)).faults).toEqual([]);
        await opened.pool.query(sql(step));
        const { faults } = await verifyAudit(engine.store);
        expect(faults).toHaveLength(1);
        expect(faults[0]).toMatchObject({ tenantId: 't1', userId: 'u1' });
      }),
      { numRuns: 60 },
    );
  });
});
