import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tier } from '@memhall/core';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { exportTenant } from '../src/engine/archive/export-tenant.js';
import { importRecords } from '../src/engine/archive/import-records.js';
import { readArchive } from '../src/engine/archive/read-archive.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { rebuildDocuments } from '../src/engine/documents/rebuild-document.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import type { Store } from '../src/ports/store.js';
import { readLines } from '../src/providers/archive-input.js';
import { useArchiveSource } from './support/archive-source.js';
import { exportTo, importFrom, linesOf, recordsOf, useArchives } from './support/archives.js';
import {
  createTestDatabase,
  describeEachDatabase,
  describeOneDatabase,
  type TestDatabase,
} from './support/databases.js';
import { add, patch } from './support/documents.js';
import { callerOf } from './support/engine.js';
import { startTestServer } from './support/server.js';

describeOneDatabase('an export', (database) => {
  const { archives, engine, newTenant, put, knows, elsewhere } = useArchiveSource(database);

  it('includes nothing of other users when exporting one user', async () => {
    const tenant = newTenant();
    await putNamespace(engine(), callerOf('bob', tenant, ['team:a']), {
      ...{ name: 'team:a', kind: 'team', expiresAt: null, metadata: null },
    });
    for (const user of ['ann', 'ann2', 'bob']) {
      await put(tenant, user, 'k', `secret of ${user}`);
      await knows(tenant, user, `private to ${user}`);
      await knows(tenant, user, `public from ${user}`, { visibility: 'public' });
      await knows(tenant, user, `for the team from ${user}`, { visibility: { namespace: 'team:a' } });
    }
    const path = await exportTo(database(), archives.path('ann'), { tenantId: tenant, userId: 'ann' });
    expect(JSON.parse(linesOf(path)[0] ?? '')).toMatchObject({ tenant, user: 'ann' });
    const records = recordsOf(path);
    expect(records.map(({ type }) => type)).toEqual([
      ...['namespace', 'shared_memory', 'shared_memory', 'audit_head'],
      ...Array.from({ length: 4 }, () => 'audit_record'),
      ...['memory', 'working_value'],
    ]);
    expect(new Set(records.filter(({ type }) => type !== 'namespace').map(({ user_id }) => user_id))).toEqual(
      new Set(['ann']),
    );
    expect(linesOf(path).join()).not.toMatch(/bob|ann2/);
  });

  it('restores a chain with erased records, which can be verified there too', async () => {
    const tenant = newTenant();
    const workspace = callerOf('crew-8', tenant);
    const note = (key: string, content: string) =>
      retainTier(engine(), workspace, { agentId: 'a1', tier: 'peers', key, content, mode: 'append' });
    for (const text of ['tea', 'milk']) await note('lena', `zqlena likes ${text}`);
    await note('omar', 'Sails.');
    await forgetUser(engine(), callerOf('lena', tenant));
    const path = await exportTo(database(), archives.path('erased'), { tenantId: tenant });
    expect(linesOf(path).join('\n')).not.toContain('zqlena');
    await elsewhere(async (target) => {
      await importFrom(target, path);
      await check(target, tenant, 1);
    });
  });

  it('includes provider memory about the user, also from workspaces of other users', async () => {
    const tenant = newTenant();
    const writes = (user: string, workspace: string, tier: Tier, content: string, key?: string) => {
      const { actor } = callerOf(user, tenant);
      const caller = { ...callerOf(workspace, tenant), actor };
      return retainTier(engine(), caller, { agentId: 'a1', tier, key, content, mode: 'append' });
    };
    await writes('ann', 'ann', 'AGENT', 'Ann sails on Mondays.');
    await writes('ann', 'crew-7', 'pins', 'Ann keeps the keys.');
    await writes('ann', 'crew-7', 'lessons', 'Ann learned to row.');
    await writes('bob', 'crew-7', 'lessons', 'Bob learned to swim.');
    await writes('bob', 'crew-7', 'AGENT', 'Bob owns a boat.');
    await writes('bob', 'bob', 'AGENT', 'Bob likes plums.');
    await writes('bob', 'bob', 'peers', 'Owes me a beer.', 'ann');
    await writes('bob', 'bob', 'peers', 'Likes plums as well.', 'anna');
    const path = await exportTo(database(), archives.path('subject'), { tenantId: tenant, userId: 'ann' });
    const lines = linesOf(path).join('\n');
    for (const told of ['sails on Mondays', 'keeps the keys', 'learned to row', 'learned to swim', 'Owes me']) {
      expect(lines).toContain(told);
    }
    expect(lines).not.toMatch(/owns a boat|likes plums/i);
    const elsewhereOf = recordsOf(path).filter(({ type }) => type === 'text_elsewhere');
    expect(elsewhereOf.map(({ user_id, name }) => [user_id, name])).toEqual([
      ['bob', 'agent:a1/peers/ann.md'],
      ['crew-7', 'agent:a1/lessons.md'],
      ['crew-7', 'agent:a1/pins.md'],
    ]);
    await elsewhere(async (target) => {
      const { records, added, present, leftOut } = await importFrom(target, path);
      expect({ added, present, leftOut }).toEqual({ added: records - 3, present: 0, leftOut: 3 });
      expect(await importFrom(target, path)).toMatchObject({ added: 0, present: records - 3, leftOut: 3 });
      const again = await exportTo(target, archives.path('subject-again'), { tenantId: tenant });
      expect(linesOf(again).join('\n')).toContain('sails on Mondays');
      expect(linesOf(again).join('\n')).not.toContain('keeps the keys');
    });
  });

  it('holds at most a few records in memory, however many there are', async () => {
    const tenant = newTenant();
    const contents = Array.from({ length: 600 }, (_, index) => ({ content: `note ${index}`, kind: 'fact' as const }));
    for (let at = 0; at < contents.length; at += 300) {
      await rememberMany(engine(), callerOf('u1', tenant), contents.slice(at, at + 300));
    }
    const held = { now: 0, most: 0 };
    const counted = countingPages(engine().store, held);
    let records = 0;
    for await (const { step } of exportTenant(counted, { tenantId: tenant })) {
      if (step !== 'record') continue;
      records += 1;
      held.now -= 1;
    }
    expect(records).toBe(1201);
    expect(held.most).toBeLessThanOrEqual(128);
    const path = await exportTo(database(), archives.path('many'), { tenantId: tenant });
    await elsewhere(async (target) => {
      await importFrom(target, path);
      await exportTo(target, archives.path('many-again'), { tenantId: tenant });
    });
    expect(linesOf(archives.path('many-again')).slice(1, -1)).toEqual(linesOf(path).slice(1, -1));
    let pulled = 0;
    const batches: number[] = [];
    const { records: read } = await readArchive(readLines(path), engine().store.archiveTypes);
    const watched = (async function* () {
      for await (const record of read) {
        pulled += 1;
        yield record;
      }
    })();
    await importRecords(engine().store, tenant, watched, ({ records: done }, batch) => {
      batches.push(batch.length);
      expect(pulled - done).toBeLessThanOrEqual(1);
    });
    expect(Math.max(...batches)).toBeLessThanOrEqual(128);
  }, 120_000);

  it('writes no file when there is nothing to export', async () => {
    const path = archives.path('nothing');
    await expect(exportTo(database(), path, { tenantId: 'nobody' })).rejects.toThrow(
      /There is no data of tenant nobody/,
    );
    await expect(exportTo(database(), path, { tenantId: 'nobody', userId: 'x' })).rejects.toThrow(
      /There is no data of user x of tenant nobody/,
    );
    expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
  });
});

describeEachDatabase('an export taken while writers are active', (database) => {
  const archives = useArchives();

  it('captures one consistent state per user, so that documents match their audit records', async () => {
    const server = await startTestServer(database());
    let stopped = false;
    const write = async (user: string) => {
      const token = await server.token({ user });
      for (let count = 0; !stopped; count++) {
        const ops = [add('/preferences', [`${count}`])];
        expect((await patch(server, { user, ops, token })).status).toBe(200);
        const body = { content: `fact ${count} of ${user}`, is_public: count % 2 === 0 };
        await server.call({ method: 'POST', path: '/v1/memory/semantic', body, token });
        await sleep(20);
      }
    };
    const writing = ['u1', 'u2'].map(write);
    await sleep(500);
    const rounds = ['first', 'second'];
    for (const round of rounds) await exportTo(database(), archives.path(round));
    stopped = true;
    await Promise.all(writing);
    await server.close();
    for (const round of rounds) {
      const target = await createTestDatabase('embedded');
      await importFrom(target, archives.path(round));
      await check(target);
      await target.remove();
    }
  }, 120_000);
});

async function check(database: TestDatabase, tenantId = 't1', expected = 2): Promise<void> {
  const opened = await openDatabase(database.config(), pino({ level: 'silent' }));
  const store = openStore(opened);
  expect((await verifyAudit(store)).faults).toEqual([]);
  let documents = 0;
  for await (const { fault } of rebuildDocuments(store, { tenantId })) {
    expect(fault).toBeUndefined();
    documents += 1;
  }
  expect(documents).toBe(expected);
  await opened.close();
}

/** Returns a view of the store. `held` counts the rows that were read but not yet consumed. */
function countingPages(store: Store, held: { now: number; most: number }): Store {
  const counted = Object.create(store) as Store;
  counted.openReader = (tenantId) => {
    const reader = store.openReader(tenantId);
    const read: typeof reader.read = async (work) => {
      const result = await reader.read(work);
      if (Array.isArray(result)) held.now += result.length;
      held.most = Math.max(held.most, held.now);
      return result;
    };
    return { holdsFreely: reader.holdsFreely, read, hold: () => reader.hold(), release: () => reader.release() };
  };
  return counted;
}
