import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import { rebuildDocuments } from '../src/engine/documents/rebuild-document.js';
import type { WrittenDocument } from '../src/engine/documents/write-document.js';
import type { Engine } from '../src/engine/engine.js';
import { applyRetention, applyTenantRetention } from '../src/engine/governance/apply-retention.js';
import { putLegalHold } from '../src/engine/governance/legal-holds.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const dayMs = 24 * 3600 * 1000;
const present = Date.now();
const profileId = 'project-copilot-v1';
const place = { namespace: 'user', path: 'user_dynamic.json' };

describeOneDatabase('an audit chain cut by retention', (database) => {
  const running = useEngine(database);
  beforeEach(async () => {
    await running().database.pool.query(
      `TRUNCATE memhall.audit_records, memhall.audit_heads, memhall.audit_cuts, memhall.artifacts,
         memhall.document_checkpoints, memhall.idempotency_keys, memhall.legal_holds`,
    );
  });

  /** Returns the engine with its clock set to the given number of days from now. */
  const at = (days: number): Engine => {
    const now = new Date(present + days * dayMs);
    return { ...running().engine, clock: { now: () => now } };
  };

  function write(days: number, value: string, caller: Caller = callerOf('u1'), key: string = randomUUID()) {
    return patchDocument(at(days), caller, {
      ...place,
      profileId,
      bindingId: 'user_dynamic',
      reason: 'live_update',
      evidence: null,
      confidence: null,
      precondition: { kind: 'none' },
      idempotency: { key, payloadHash: value },
      ops: [{ op: 'add', path: '/content/preferences', value: [value] }],
    });
  }

  async function faults(): Promise<string[]> {
    const found: string[] = (await verifyAudit(running().engine.store)).faults.map(({ kind, seq }) => `${kind} ${seq}`);
    for await (const { fault } of rebuildDocuments(running().engine.store, { tenantId: 't1' })) {
      if (fault !== undefined) found.push(fault);
    }
    return found;
  }

  const readAt = async (moment: Date, caller: Caller = callerOf('u1')) =>
    (await getDocument(at(0), caller, { ...place, at: moment })).etag;
  const run = (days = 0, caller: Caller = callerOf('u1')) => applyRetention(at(days), caller, { profileId });
  const tamper = (sql: string) => running().database.pool.query(sql);

  it('can be verified, rebuilt and read at any time after the cut', async () => {
    const written: [number, WrittenDocument][] = [];
    for (const days of [-800, -600, -400, -300, -200, -1]) written.push([days, await write(days, `${days}`)]);
    expect((await run()).auditDeleted).toBe(3);
    expect(await faults()).toEqual([]);
    for (const [days, { document }] of written.slice(2)) {
      expect(await readAt(new Date(present + (days + 0.5) * dayMs))).toBe(document.etag);
    }
    await expect(readAt(new Date(present - 500 * dayMs))).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect((await run()).auditDeleted).toBe(0);
    // A year later only the record of the cut itself is left.
    expect((await run(366)).auditDeleted).toBeGreaterThan(2);
    expect((await run(800)).auditDeleted).toBe(0);
    expect(await faults()).toEqual([]);
    await write(801, 'goes on');
    expect(await faults()).toEqual([]);
  });

  it('returns the original response to a repeated request, even after a cut', async () => {
    const key = randomUUID();
    await write(-2, 'old');
    // This write changes nothing, so its idempotency key refers to a much older version.
    const first = await write(-0.5, 'old', callerOf('u1'), key);
    await write(-0.4, 'new');
    await applyRetention(at(0), callerOf('u1'), { profileId, asOf: new Date(present + 1000 * dayMs) });
    const again = await write(0, 'old', callerOf('u1'), key);
    expect(again).toMatchObject({ replayed: true, document: { etag: first.document.etag } });
  });

  it('reports a cut that was not recorded', async () => {
    for (const days of [-800, -600, -1]) await write(days, `${days}`);
    await tamper(
      `INSERT INTO memhall.audit_cuts SELECT tenant_id, user_id, seq, hash FROM memhall.audit_records WHERE seq = 2`,
    );
    await tamper('DELETE FROM memhall.audit_records WHERE seq <= 2');
    expect(await faults()).toContain('cut 2');
  });

  it.each([
    ['a record after the cut is missing', 'DELETE FROM memhall.audit_records WHERE seq = 4', 'missing 4'],
    ['the cut was moved', 'UPDATE memhall.audit_cuts SET seq = 1', 'missing 2'],
    ['the cut has another hash', `UPDATE memhall.audit_cuts SET hash = sha256('x')`, 'altered 3'],
    ['the cut is forgotten', 'DELETE FROM memhall.audit_cuts', 'missing 1'],
    [
      'the state it begins from was altered',
      `UPDATE memhall.document_checkpoints SET body = replace(body::text, '-600', '-601')::json`,
      'version 2, from which it is rebuilt, was altered',
    ],
  ])('detects that %s', async (_, sql, fault) => {
    for (const days of [-800, -600, -300, -1]) await write(days, `${days}`);
    await run();
    expect(await faults()).toEqual([]);
    await tamper(sql);
    expect(await faults()).toContain(fault);
  });

  it('is cut for every user of a tenant except users on legal hold', async () => {
    for (const user of ['u1', 'u2', 'u3']) {
      await write(-800, 'old', callerOf(user));
      await write(-1, 'new', callerOf(user));
    }
    await write(-800, 'old', callerOf('u1', 't2'));
    await putLegalHold(running().engine, callerOf('', 't1'), { name: 'case', userIds: ['u2'], reason: 'evidence' });
    const report = await applyTenantRetention(at(0), 't1', { profileId });
    expect(report).toMatchObject({ auditDeleted: 2, heldUsers: ['u2'] });
    expect(await faults()).toEqual([]);
    expect((await run(0, callerOf('u1', 't2'))).auditDeleted).toBe(1);
  });

  it('stays verifiable and readable for any sequence of writes and cuts', async () => {
    const step = fc.record({ days: fc.double({ min: 0, max: 60, noNaN: true }), cuts: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const caller = callerOf(`u-${randomUUID()}`);
        const written: { made: Date; etag: string }[] = [];
        let days = -365 - steps.reduce((sum, one) => sum + one.days, 0) / 2;
        for (const [index, { days: passed, cuts }] of steps.entries()) {
          days += passed;
          const { document } = await write(days, `value ${index}`, caller);
          written.push({ made: new Date(document.body.updated_at), etag: document.etag });
          if (cuts) await run(days, caller);
        }
        await run(0, caller);
        expect(await faults()).toEqual([]);
        const cutoff = new Date(present - 365 * dayMs);
        for (const [index, { made, etag }] of written.entries()) {
          const next = written[index + 1]?.made;
          if (next === undefined || next >= cutoff) expect(await readAt(made, caller)).toBe(etag);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});
