import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tier } from '@memhall/core';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { exportTenant } from '../src/engine/archive/export-tenant.js';
import { importRecords } from '../src/engine/archive/import-records.js';
import { readArchive } from '../src/engine/archive/read-archive.js';
import { rebuildDocuments } from '../src/engine/documents/rebuild-document.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { verifyAudit } from '../src/engine/governance/verify-audit.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import type { NewMemory } from '../src/engine/memories/new-memory.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember, rememberMany } from '../src/engine/memories/remember.js';
import { putWorkingValue } from '../src/engine/state/put-working-value.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import type { Store } from '../src/ports/store.js';
import { readLines } from '../src/providers/archive-input.js';
import { archiveTables, tablesWithoutArchive } from '../src/store/postgres/archive-tables.js';
import { exportTo, importFrom, linesOf, recordsOf, useArchives } from './support/archives.js';
import { createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { add, patch } from './support/documents.js';
import { callerOf, useEngine } from './support/engine.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer } from './support/server.js';

describeEachDatabase('archives', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const archives = useArchives();

  /** A database of the other tests' kind that nobody else uses. */
  async function elsewhere<T>(use: (target: TestDatabase) => Promise<T>): Promise<T> {
    const target = await createTestDatabase(database().kind);
    return use(target).finally(() => target.remove());
  }

  const newTenant = () => `t-${randomUUID()}`;
  const put = (tenantId: string, userId: string, key: string, value: string) =>
    putWorkingValue(engine(), callerOf(userId, tenantId), {
      ...{ planId: 'p', key, value, ttlSeconds: undefined },
      precondition: { kind: 'none' },
    });
  const knows = (tenantId: string, userId: string, content: string, rest: Partial<NewMemory> = {}) =>
    remember(engine(), callerOf(userId, tenantId, ['team:a']), { content, kind: 'fact', ...rest });

  it('leave no table and no column out without a reason', async () => {
    const { rows } = await running().database.pool.query<{ name: string; columns: string[]; nullable: string[] }>(
      `SELECT relname AS name, array_agg(attname::text) FILTER (WHERE attgenerated = '') AS columns,
              coalesce(array_agg(attname::text) FILTER (WHERE atttypid = 'json'::regtype AND attnotnull), '{}') AS nullable
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') GROUP BY relname ORDER BY relname`,
    );
    const archived = new Map(archiveTables.map((table) => [table.table, table]));
    expect(rows.map(({ name }) => name)).toEqual([...archived.keys(), ...Object.keys(tablesWithoutArchive)].sort());
    for (const { name, columns, nullable } of rows) {
      const table = archived.get(name);
      if (table === undefined) continue;
      const own = ['tenant_id', ...table.columns, ...Object.keys(table.omitted ?? {})];
      expect([name, [...columns].sort()]).toEqual([name, own.sort()]);
      expect([name, [...(table.nullable ?? [])].sort()]).toEqual([name, [...nullable].sort()]);
    }
  });

  it('can be restored by a role that adds rows and can do nothing else', async () => {
    const { rows } = await running().database.pool.query(
      `SELECT relname || ': ' || string_agg(privilege_type, ', ' ORDER BY privilege_type) AS line
       FROM pg_class, aclexplode(relacl) JOIN pg_roles ON pg_roles.oid = grantee
       WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND rolname = 'memhall_importer'
       GROUP BY relname ORDER BY relname COLLATE "C"`,
    );
    const tables = [...new Set(archiveTables.map(({ table }) => table))].sort();
    expect(rows.map(({ line }) => line)).toEqual(
      tables.map((table) => `${table}: INSERT, SELECT${table === 'audit_heads' ? ', UPDATE' : ''}`),
    );
  });

  it('of one user have nothing of another', async () => {
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

  it('of one user have what providers keep of the person, in workspaces of others as well', async () => {
    const tenant = newTenant();
    const writes = (user: string, workspace: string, tier: Tier, content: string) => {
      const { actor } = callerOf(user, tenant);
      const caller = { ...callerOf(workspace, tenant), actor };
      return retainTier(engine(), caller, { agentId: 'a1', tier, content, mode: 'append' });
    };
    await writes('ann', 'ann', 'AGENT', 'Ann sails on Mondays.');
    await writes('ann', 'crew-7', 'pins', 'Ann keeps the keys.');
    await writes('ann', 'crew-7', 'lessons', 'Ann learned to row.');
    await writes('bob', 'crew-7', 'lessons', 'Bob learned to swim.');
    await writes('bob', 'crew-7', 'AGENT', 'Bob owns a boat.');
    await writes('bob', 'bob', 'AGENT', 'Bob likes plums.');
    const path = await exportTo(database(), archives.path('subject'), { tenantId: tenant, userId: 'ann' });
    const lines = linesOf(path).join('\n');
    for (const told of ['sails on Mondays', 'keeps the keys', 'learned to row', 'learned to swim']) {
      expect(lines).toContain(told);
    }
    expect(lines).not.toMatch(/owns a boat|likes plums/);
    const elsewhereOf = recordsOf(path).filter(({ type }) => type === 'text_elsewhere');
    expect(elsewhereOf.map(({ user_id, name }) => [user_id, name])).toEqual([
      ['crew-7', 'agent:a1/lessons.md'],
      ['crew-7', 'agent:a1/pins.md'],
    ]);
    await elsewhere(async (target) => {
      await importFrom(target, path);
      const again = await exportTo(target, archives.path('subject-again'), { tenantId: tenant });
      expect(linesOf(again).join('\n')).toContain('sails on Mondays');
      expect(linesOf(again).join('\n')).not.toContain('keeps the keys');
    });
  });

  it('hold a few records at a time in memory, however many there are', async () => {
    const tenant = newTenant();
    const contents = Array.from({ length: 2000 }, (_, index) => ({ content: `note ${index}`, kind: 'fact' }));
    for (let at = 0; at < contents.length; at += 500) {
      await rememberMany(engine(), callerOf('u1', tenant), contents.slice(at, at + 500));
    }
    const held = { now: 0, most: 0 };
    const counted = countingPages(engine().store, held);
    let records = 0;
    for await (const { step } of exportTenant(counted, { tenantId: tenant })) {
      if (step !== 'record') continue;
      records += 1;
      held.now -= 1;
    }
    expect(records).toBe(4001);
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

  it('keep the order of arrival, and what comes later arrives later', async () => {
    const tenant = newTenant();
    for (const content of ['one', 'two', 'three']) await knows(tenant, 'u1', content);
    const path = await exportTo(database(), archives.path('order'), { tenantId: tenant });
    await elsewhere(async (target) => {
      const server = await startTestServer(target);
      const token = await server.token({ tenant, user: 'u1' });
      const query = async () =>
        (await server.call({ method: 'POST', path: '/v1/memory/semantic/query', body: { query: 'one three' }, token }))
          .body;
      expect((await query()).count).toBe(0);
      await importFrom(target, path);
      const stored = await server.call({
        method: 'POST',
        path: '/v1/memory/semantic',
        body: { content: 'one more' },
        token,
      });
      expect(stored.status).toBe(201);
      expect((await query()).count).toBe(1);
      const rows = await pastEverything(target, 'SELECT content FROM memhall.memories ORDER BY seq');
      expect(rows).toEqual(['one', 'two', 'three', 'one more'].map((content) => ({ content })));
      await server.close();
    });
  });

  it('are seen by servers that have searched before', async () => {
    const tenant = newTenant();
    const me = callerOf('u1', tenant);
    const find = async () => (await recall(engine(), me, { text: 'kettle', scope: { own: true }, limit: 5 })).length;
    await knows(tenant, 'u1', 'the kettle is on');
    const path = await exportTo(database(), archives.path('seen'), { tenantId: tenant });
    expect(await find()).toBe(1);
    await running().database.pool.query('DELETE FROM memhall.memories WHERE tenant_id = $1', [tenant]);
    expect(await find()).toBe(0);
    expect(await importFrom(database(), path)).toMatchObject({ added: 1 });
    expect(await find()).toBe(1);
    const { items } = await listMemories(engine(), me, { scope: { own: true }, limit: 5 });
    expect(items).toHaveLength(1);
  });

  it('of users from several databases can be brought together', async () => {
    const tenant = newTenant();
    await knows(tenant, 'ann', 'public from ann', { visibility: 'public' });
    const path = await exportTo(database(), archives.path('together'), { tenantId: tenant, userId: 'ann' });
    const seq = recordsOf(path)[0].seq;
    await running().database.pool.query('DELETE FROM memhall.memories WHERE tenant_id = $1', [tenant]);
    await knows(tenant, 'bob', 'public from bob', { visibility: 'public' });
    await running().database.pool.query('UPDATE memhall.memories SET seq = $2 WHERE tenant_id = $1', [tenant, seq]);
    await importFrom(database(), path);
    const { items } = await listMemories(engine(), callerOf('eve', tenant), { scope: { public: true }, limit: 5 });
    expect(items.map(({ content }) => content)).toEqual(['public from ann', 'public from bob']);
    expect(await importFrom(database(), path)).toMatchObject({ added: 0 });
  });

  describe('that are not what was written', () => {
    const counts = async () =>
      pastEverything(
        database(),
        'SELECT (SELECT count(*) FROM memhall.audit_records) AS records, (SELECT count(*) FROM memhall.working_values) AS values',
      );

    it('are refused before anything is written', async () => {
      const tenant = newTenant();
      for (let count = 0; count < 200; count++) await put(tenant, 'u1', `k${count}`, 'v');
      const lines = linesOf(await exportTo(database(), archives.path('whole'), { tenantId: tenant }));
      await running().database.pool.query('DELETE FROM memhall.working_values WHERE tenant_id = $1', [tenant]);
      await running().database.pool.query('DELETE FROM memhall.audit_records WHERE tenant_id = $1', [tenant]);
      const before = await counts();
      const at = lines.length - 2;
      const changed = (line: number, change: (text: string) => string) =>
        lines.map((text, index) => (index === line ? change(text) : text));
      const damaged: [string, string[], RegExp][] = [
        ['cut', lines.slice(0, 300), /its end is missing: it was cut off/],
        ['torn', [...lines.slice(0, at), (lines[at] ?? '').slice(0, 20)], /line 402 is not a JSON object/],
        ['altered', changed(at, (text) => text.replace('"v"', '"w"')), /its hash does not fit/],
        ['shortened', lines.filter((_, index) => index !== at), /its hash does not fit/],
        ['renamed', changed(0, (text) => text.replace(tenant, 'other')), /its hash does not fit/],
        ['longer', [...lines, lines[at] ?? ''], /something follows after its end/],
        ['empty', [''], /line 1 is not a JSON object/],
        ['other', ['{"format":"other"}'], /does not begin as an export/],
        ['newer', changed(0, (text) => text.replace('"version":1', '"version":2')), /version 2 of the format/],
      ];
      for (const [name, damage, message] of damaged) {
        await expect(importFrom(database(), archives.write(name, damage))).rejects.toThrow(message);
      }
      const body = lines.slice(0, -1);
      const forged: [string, string[], RegExp][] = [
        ['type', [...body, '{"type":"miracle"}'], /records of type "miracle", which this version does not know/],
        ['member', [...body, '{"type":"working_value","user_id":"u1","halo":1}'], /a member halo/],
        ['nobody', [...body, '{"type":"working_value","plan_id":"p"}'], /names no user/],
        ['chain', body.filter((_, index) => index !== 5), /audit chain of u1 is broken at record 4 \(missing\)/],
        ['head', body.filter((line) => !/"seq":200/.test(line) || /audit_head/.test(line)), /broken at record 200/],
      ];
      for (const [name, damage, message] of forged) {
        await expect(importFrom(database(), archives.sealed(name, damage))).rejects.toThrow(message);
      }
      await expect(importFrom(database(), archives.path('nowhere'))).rejects.toThrow(/There is no file/);
      expect(await counts()).toEqual(before);
    });

    it('overwrite nothing: what is there with another content is named', async () => {
      const tenant = newTenant();
      await put(tenant, 'u1', 'k', 'first');
      const first = await exportTo(database(), archives.path('first'), { tenantId: tenant });
      await put(tenant, 'u1', 'k', 'second');
      await expect(importFrom(database(), first)).rejects.toThrow(
        'The working value user_id=u1 plan_id=p key=k is there already, with another content.',
      );
      const second = await exportTo(database(), archives.path('second'), { tenantId: tenant });
      expect(await importFrom(database(), second)).toMatchObject({ added: 0 });
      await elsewhere(async (target) => {
        await importFrom(target, first);
        await expect(importFrom(target, second)).rejects.toThrow(/key=k is there already, with another content/);
        expect(await pastEverything(target, 'SELECT value FROM memhall.working_values')).toEqual([{ value: 'first' }]);
      });
    });

    it('cannot fork an audit chain', async () => {
      const tenant = newTenant();
      await put(tenant, 'u1', 'a', 'here');
      const path = await exportTo(database(), archives.path('fork'), { tenantId: tenant });
      await elsewhere(async (target) => {
        const server = await startTestServer(target);
        const token = await server.token({ tenant, user: 'u1' });
        await server.call({ method: 'PUT', path: '/v1/memory/working/p/b', body: { value: 'there' }, token });
        await expect(importFrom(target, path)).rejects.toThrow(
          'The audit record user_id=u1 seq=1 is there already, with another content.',
        );
        expect(await pastEverything(target, 'SELECT key FROM memhall.working_values')).toEqual([{ key: 'b' }]);
        await server.close();
      });
    });
  });

  it('with conversations are refused where the master key is another', async () => {
    const tenant = newTenant();
    const caller = callerOf('u1', tenant);
    await engine().store.write({ tenantId: tenant, userId: 'u1' }, (tables) =>
      engine().cipher.seal(tables, tenant, Buffer.from('x'), 'c', new Date()),
    );
    await put(tenant, caller.userId, 'k', 'v');
    const path = await exportTo(database(), archives.path('locked'), { tenantId: tenant });
    const foreign = { masterKey: Buffer.alloc(32, 7).toString('base64') };
    await expect(importFrom(database(), path, foreign)).rejects.toThrow(/locked with another master key/);
    expect(await importFrom(database(), path)).toMatchObject({ added: 0 });
  });

  it('do not bring back who was forgotten since', async () => {
    const tenant = newTenant();
    for (const user of ['ann', 'bob']) await put(tenant, user, 'k', 'v');
    await knows(tenant, 'ann', 'public from ann', { visibility: 'public' });
    const both = await exportTo(database(), archives.path('both'), { tenantId: tenant });
    const bob = await exportTo(database(), archives.path('bob'), { tenantId: tenant, userId: 'bob' });
    await forgetUser(engine(), callerOf('ann', tenant));
    await expect(importFrom(database(), both)).rejects.toThrow(/User ann was erased here after the archive was made/);
    expect(await importFrom(database(), bob)).toMatchObject({ added: 0 });
    const after = await exportTo(database(), archives.path('after'), { tenantId: tenant });
    expect(recordsOf(after)).toContainEqual(expect.objectContaining({ type: 'receipt', user_id: 'ann' }));
    expect(await importFrom(database(), after)).toMatchObject({ added: 0 });
    await elsewhere(async (target) => {
      await importFrom(target, after);
      await expect(importFrom(target, both)).rejects.toThrow(/User ann was erased here/);
    });
  });

  it('of a chain without its beginning are not put on one that has it', async () => {
    const tenant = newTenant();
    for (const key of ['a', 'b', 'c']) await put(tenant, 'u1', key, 'v');
    const whole = await exportTo(database(), archives.path('uncut'), { tenantId: tenant });
    const caller = { ...callerOf('u1', tenant), operation: 'retention.apply' };
    const future = new Date(Date.now() + 400 * 24 * 3600 * 1000);
    await applyRetention(engine(), caller, { profileId: 'project-copilot-v1', asOf: future });
    const cut = await exportTo(database(), archives.path('cut'), { tenantId: tenant });
    expect(recordsOf(cut).map(({ type }) => type)).toContain('audit_cut');
    await elsewhere(async (target) => {
      await importFrom(target, whole);
      await expect(importFrom(target, cut)).rejects.toThrow(/with the beginning that the archive lacks/);
    });
    await elsewhere(async (target) => {
      await importFrom(target, cut);
      expect(await importFrom(target, cut)).toMatchObject({ added: 0 });
      const opened = await openDatabase(target.config(), pino({ level: 'silent' }));
      expect((await verifyAudit(openStore(opened))).faults).toEqual([]);
      await opened.close();
    });
  });

  it('are refused by a database whose documents come from elsewhere', async () => {
    const tenant = newTenant();
    await put(tenant, 'u1', 'k', 'v');
    const path = await exportTo(database(), archives.path('derived'), { tenantId: tenant });
    await elsewhere(async (target) => {
      await pastEverything(target, `INSERT INTO memhall.outer_store (store_id) VALUES ('s')`);
      await expect(importFrom(target, path)).rejects.toThrow(/come from a blob store/);
      expect(await pastEverything(target, 'SELECT key FROM memhall.working_values')).toEqual([]);
    });
  });

  it('of nothing are not made', async () => {
    const path = archives.path('nothing');
    await expect(exportTo(database(), path, { tenantId: 'nobody' })).rejects.toThrow(/Nothing of tenant nobody/);
    await expect(exportTo(database(), path, { tenantId: 'nobody', userId: 'x' })).rejects.toThrow(/Nothing of user x/);
    expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
  });
});

describeEachDatabase('an export beside writers', (database) => {
  const archives = useArchives();

  it('is one state of each user: its documents are what its records tell', async () => {
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

async function check(database: TestDatabase): Promise<void> {
  const opened = await openDatabase(database.config(), pino({ level: 'silent' }));
  const store = openStore(opened);
  expect((await verifyAudit(store)).faults).toEqual([]);
  let documents = 0;
  for await (const { fault } of rebuildDocuments(store, { tenantId: 't1' })) {
    expect(fault).toBeUndefined();
    documents += 1;
  }
  expect(documents).toBe(2);
  await opened.close();
}

/** The same store; `held` counts rows that were read and that nobody has taken yet. */
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
