import { randomBytes, randomUUID } from 'node:crypto';
import type { SignedHead } from '@memhall/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErasedRecord } from '../src/engine/audit/erased-records.js';
import { signLog } from '../src/engine/audit/sign-log.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { verifyLogs } from '../src/engine/audit/verify-logs.js';
import type { Engine } from '../src/engine/engine.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { eraseTenant } from '../src/engine/governance/erase-tenant.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import { Ed25519AuditKey } from '../src/providers/ed25519-audit-key.js';
import { report } from './support/attack-report.js';
import { DatabaseOwner } from './support/database-owner.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const dayMs = 24 * 3600 * 1000;

describeOneDatabase('the signed audit log', (database) => {
  const running = useEngine(database);
  const owner = () => new DatabaseOwner(running().database.pool);
  beforeEach(async () => {
    await running().database.pool.query(
      `TRUNCATE memhall.audit_records, memhall.audit_heads, memhall.audit_cuts, memhall.working_values, memhall.receipts,
         memhall.audit_logs, memhall.audit_log_chains, memhall.audit_log_leaves, memhall.audit_log_heads, memhall.artifacts`,
    );
  });

  const at = (days: number): Engine => {
    const now = new Date(Date.now() + days * dayMs);
    return { ...running().engine, clock: { now: () => now } };
  };

  async function write(userId: string, count = 1, days = 0): Promise<void> {
    for (let index = 0; index < count; index++) {
      const input = { planId: 'p', key: randomUUID(), value: index, ttlSeconds: undefined };
      await putWorkingValue(at(days), callerOf(userId), { ...input, precondition: { kind: 'none' } });
    }
  }

  async function sign(): Promise<SignedHead> {
    const { head } = await signLog(running().engine, 't1');
    if (head === undefined) throw new Error('there is nothing to sign');
    return head;
  }

  /** Returns the faults that hash chains alone show, and those that the log and the given heads show. */
  async function faults(given: readonly SignedHead[] = []): Promise<{ chains: string[]; log: string[] }> {
    const { store, auditKey } = running().engine;
    const erased: ErasedRecord[] = [];
    const chains = await verifyAudit(store, { onErased: (record) => erased.push(record) });
    const log = await verifyLogs(store, { given, erased, trustedKeys: auditKey.trustedKeys });
    return {
      chains: chains.faults.map(({ userId, seq, kind }) => `user=${userId} seq=${seq} ${kind}`),
      log: log.faults.map(({ place, kind }) => `${place.replace(/(log|chain)=\w+/, '$1')} ${kind}`),
    };
  }

  const none = { chains: [], log: [] };

  it('covers every record of every chain once, in heads that grow', async () => {
    expect(await signLog(running().engine, 't1')).toEqual({ head: undefined, isNew: false });
    await write('u1', 3);
    await write('u2', 2);
    const first = await sign();
    expect(first).toMatchObject({ tenant: 't1', size: 5, key: running().engine.auditKey.publicKey });
    expect(await signLog(running().engine, 't1')).toEqual({ head: first, isNew: false });
    await write('u1', 2);
    const second = await sign();
    expect(second).toMatchObject({ log: first.log, size: 7 });
    expect(await faults([first, second])).toEqual(none);
    const { rows } = await running().database.pool.query(
      'SELECT position FROM memhall.audit_log_leaves ORDER BY position',
    );
    expect(rows.map(({ position }) => Number(position))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('brings a long history in many transactions under one head', async () => {
    const many = Array.from({ length: 4500 }, (_, index) => `{"target":"x","at":"${index}"}`);
    await running().database.pool.query('SELECT memhall.append_audit($1, $2, $3)', ['t1', 'u1', many]);
    const head = await sign();
    expect(head.size).toBe(4500);
    const { rows } = await running().database.pool.query('SELECT size FROM memhall.audit_log_heads');
    expect(rows).toEqual([{ size: '4500' }]);
    expect(await faults([head])).toEqual(none);
  });

  it('is signed by one of several nodes at a time', async () => {
    await write('u1', 3);
    const heads = await Promise.all(Array.from({ length: 4 }, () => signLog(running().engine, 't1')));
    expect(heads.map(({ isNew }) => isNew).sort()).toEqual([false, false, false, true]);
    await Promise.all([write('u1', 5), write('u2', 5), sign(), sign()]);
    expect((await sign()).size).toBe(13);
    expect(await faults()).toEqual(none);
  });

  describe('shows what the owner of the database did, which the chains do not:', () => {
    afterEach((context) => {
      const isFound = (context.task.result?.errors ?? []).length === 0;
      report(context, 'tampering', { tried: 1, found: isFound ? 1 : 0 });
    });

    const tamperings: [string, (owner: DatabaseOwner) => Promise<void>, string[]][] = [
      ['cut the tail', (owner) => owner.cutTail('u1', 2), ['user=u1 seq=3 removed']],
      [
        'rewrite a record and hash the rest again',
        (owner) => owner.rewrite('u1', 2, (record) => record.replace('working', 'nothing')),
        ['user=u1 seq=2 rewritten'],
      ],
      ['delete a whole chain', (owner) => owner.deleteChain('u1'), ['user=u1 seq=1 removed']],
      ['delete it and say nowhere whose it was', (owner) => owner.deleteChain('u1', true), ['chain seq=1 removed']],
      ['cut the beginning as if by retention', (owner) => owner.cutBeginning('u1', 2), ['user=u1 seq=1 removed']],
      ['erase content as if someone was forgotten', (owner) => owner.eraseContent('u1', 2), ['user=u1 seq=2 erased']],
      [
        'forget a user without the service',
        async (owner) => {
          await owner.deleteChain('u1', true);
          await owner.append('', { target: 'receipts/r1', at: '2026-01-01', erased_user_id: 'u1' });
        },
        ['chain seq=1 removed'],
      ],
    ];

    it.each(tamperings)('%s', async (_, tamper, found) => {
      await write('u1', 4);
      await write('u2', 2);
      const head = await sign();
      await tamper(owner());
      expect(await faults()).toEqual({ chains: [], log: found });
      expect(await faults([head])).toEqual({ chains: [], log: found });
    });

    it('rewrite the chain, and the leaves and heads with it', async () => {
      await write('u1', 4);
      const first = await sign();
      await write('u2', 2);
      const second = await sign();
      await owner().rewrite('u1', 2, (record) => record.replace('working', 'nothing'));
      await owner().rewriteLog();
      const untrusted = ['log size=4 untrusted', 'log size=6 untrusted'];
      expect(await faults()).toEqual({ chains: [], log: untrusted });
      const unknown = ['log size=4 unknown', 'log size=6 unknown'];
      const rewritten = ['log size=4 rewritten', 'log size=6 rewritten'];
      expect((await faults([first, second])).log).toEqual([...unknown, ...untrusted, ...rewritten]);
    });

    it('go back to an earlier head, which only the heads outside the database show', async () => {
      await write('u1', 4);
      const first = await sign();
      await write('u1', 2);
      const second = await sign();
      await owner().cutTail('u1', 2);
      await owner().rewriteLog();
      await running().database.pool.query('UPDATE memhall.audit_log_chains SET seq = 4');
      expect(await faults()).toEqual(none);
      expect(await faults([first])).toEqual(none);
      expect((await faults([first, second])).log).toEqual(['log size=6 unknown', 'log size=6 shortened']);
      await write('u1', 2);
      const fork = await sign();
      expect(fork.size).toBe(6);
      expect((await faults([first, second, fork])).log).toEqual(['log size=6 unknown', 'log size=6 rewritten']);
    });

    it('remove the log, which only the heads outside the database show', async () => {
      await write('u1', 4);
      const head = await sign();
      await owner().forgetLog();
      expect(await faults()).toEqual(none);
      expect((await faults([head])).log).toEqual(['log size=4 unknown']);
      expect((await sign()).log).not.toBe(head.log);
    });
  });

  it('is not signed again once it was changed', async () => {
    await write('u1', 4);
    await sign();
    await owner().rewrite('u1', 4, (record) => record.replace('working', 'nothing'));
    await owner().rewriteLog();
    await write('u1');
    await expect(sign()).rejects.toThrow('is not as it was signed last');
    await running().database.pool.query('DELETE FROM memhall.audit_log_leaves WHERE position = 3');
    await expect(sign()).rejects.toThrow('is not as it was signed last');
  });

  it('is not signed with another key, unless that replaces the earlier one or begins another log', async () => {
    await write('u1', 2);
    const first = await sign();
    const { auditKey: mine, ...rest } = running().engine;
    const other = (trusted: string[]) => ({ ...rest, auditKey: new Ed25519AuditKey(randomBytes(32), trusted) });
    await write('u1');
    await expect(signLog(other([]), 't1')).rejects.toThrow(`is signed with another key, ${mine.publicKey}`);
    const { head: second } = await signLog(other([mine.publicKey]), 't1');
    expect(second).toMatchObject({ log: first.log, size: 3 });
    await expect(sign()).rejects.toThrow('is signed with another key');
    const { head: third } = await signLog(running().engine, 't1', { newLog: true });
    expect(third).toMatchObject({ size: 3, key: mine.publicKey });
    expect(third?.log).not.toBe(first.log);
    expect(await faults([first])).toEqual(none);
    expect((await faults(second && [second])).log).toEqual(['log size=3 untrusted']);
  });

  describe('stands when records are removed on purpose:', () => {
    it('by retention, again and again', async () => {
      await write('u1', 3, -900);
      await write('u1', 3, -500);
      await write('u1', 2);
      const heads = [await sign()];
      for (const days of [0, 500]) {
        await applyRetention(at(days), callerOf('u1'), { profileId: 'project-copilot-v1' });
        await write('u1');
        heads.push(await sign());
        expect(await faults(heads)).toEqual(none);
      }
      const { rows } = await running().database.pool.query('SELECT seq FROM memhall.audit_cuts');
      expect(Number(rows[0]?.seq)).toBeGreaterThan(6);
    });

    it('but not if more is removed than was signed', async () => {
      await write('u1', 3, -900);
      await write('u1', 3);
      const head = await sign();
      await applyRetention(at(0), callerOf('u1'), { profileId: 'project-copilot-v1' });
      expect(await faults([head])).toEqual(none);
      await running().database.pool.query(
        `UPDATE memhall.audit_cuts SET seq = 4, hash = (SELECT hash FROM memhall.audit_records WHERE user_id = 'u1' AND seq = 4)`,
      );
      await running().database.pool.query(`DELETE FROM memhall.audit_records WHERE user_id = 'u1' AND seq = 4`);
      expect((await faults([head])).log).toEqual(['user=u1 seq=4 removed']);
    });

    it('because a user was forgotten, also if that user comes back and is removed by the owner then', async () => {
      await write('u1', 3);
      await write('u2', 2);
      const heads = [await sign()];
      await forgetUser(running().engine, callerOf('u1'));
      expect(await faults(heads)).toEqual(none);
      await write('u1', 2);
      heads.push(await sign());
      expect(await faults(heads)).toEqual(none);
      const { rows } = await running().database.pool.query(
        `SELECT chain_id FROM memhall.audit_log_leaves GROUP BY chain_id`,
      );
      expect(rows).toHaveLength(4);
      await owner().deleteChain('u1', true);
      expect(await faults(heads)).toEqual({ chains: [], log: ['chain seq=1 removed'] });
    });

    it('because someone was forgotten about whom others had noted something', async () => {
      const note = { tier: 'peers', key: 'u1', content: 'Likes tea.', mode: 'append', agentId: 'a1' } as const;
      await retainTier(running().engine, callerOf('w1'), note);
      await write('u1');
      const head = await sign();
      await forgetUser(running().engine, callerOf('u1'));
      expect(await faults([head])).toEqual(none);
      expect(await faults([head, await sign()])).toEqual(none);
    });

    it('because words of someone forgotten were erased in a text of several people', async () => {
      for (const [userId, content] of [
        ['u1', 'Ann sails a red boat on Sundays.'],
        ['u2', 'The lock of the harbour is closed.'],
      ] as const) {
        const caller = { ...callerOf('w1'), actor: { userId, serviceId: null, roles: [] } };
        await retainTier(running().engine, caller, {
          ...{ tier: 'daily', key: '2026-05-21', content, mode: 'append', agentId: 'a1' },
        });
      }
      const heads = [await sign()];
      await forgetUser(running().engine, callerOf('u1'));
      const { rows } = await running().database.pool.query(
        `SELECT record LIKE '%"signed_removals"%' AS is_signed FROM memhall.audit_records WHERE record LIKE '%"erased_records"%'`,
      );
      expect(rows).toEqual([{ is_signed: true }]);
      heads.push(await sign());
      expect(await faults(heads)).toEqual(none);
    });

    it('because the whole tenant was erased', async () => {
      await write('u1', 3);
      const heads = [await sign()];
      await eraseTenant(running().engine, callerOf('admin'));
      expect(await faults(heads)).toEqual(none);
      await write('u2', 2);
      heads.push(await sign());
      expect(await faults(heads)).toEqual(none);
      await owner().cutTail('u2', 1);
      expect((await faults(heads)).log).toEqual(['user=u2 seq=2 removed']);
    });

    it('before anything was signed', async () => {
      await write('u1', 4);
      await owner().eraseContent('u1', 2);
      const heads = [await sign()];
      await write('u1');
      heads.push(await sign());
      expect(await faults(heads)).toEqual(none);
    });
  });

  it('is sound after anything the service does, and shows any record that the owner takes out', async () => {
    const user = fc.constantFrom('u1', 'u2', 'u3');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ does: fc.constant('write' as const), user }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('sign' as const), user }) },
      fc.record({ does: fc.constant('cut' as const), user }),
      fc.record({ does: fc.constant('forget' as const), user }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        await owner().forgetLog();
        for (const userId of ['', 'u1', 'u2', 'u3']) await owner().deleteChain(userId);
        const heads: SignedHead[] = [];
        const does = {
          write: (userId: string) => write(userId, 2, -800),
          cut: (userId: string) => applyRetention(at(0), callerOf(userId), { profileId: 'project-copilot-v1' }),
          forget: (userId: string) => forgetUser(running().engine, callerOf(userId)),
          sign: async () => {
            const { head } = await signLog(running().engine, 't1');
            if (head !== undefined) heads.push(head);
          },
        };
        for (const step of steps) await does[step.does](step.user);
        expect(await faults(heads)).toEqual(none);
        await write('u3', 3);
        heads.push(await sign());
        expect(await faults(heads)).toEqual(none);
        await owner().cutTail('u3', 1);
        expect((await faults(heads)).log).toEqual([expect.stringMatching(/^user=u3 seq=\d+ removed$/)]);
      }),
      { numRuns: 8 },
    );
  });
});
