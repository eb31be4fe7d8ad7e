import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { useArchiveSource } from './support/archive-source.js';
import { exportTo, importFrom, linesOf, recordsOf } from './support/archives.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer } from './support/server.js';

describeOneDatabase('an archive that does not fit', (database) => {
  const { archives, engine, pool, newTenant, put, knows, elsewhere } = useArchiveSource(database);

  const counts = async () =>
    pastEverything(
      database(),
      'SELECT (SELECT count(*) FROM memhall.audit_records) AS records, (SELECT count(*) FROM memhall.working_values) AS values',
    );

  it('is rejected before anything is written', async () => {
    const tenant = newTenant();
    for (let count = 0; count < 200; count++) await put(tenant, 'u1', `k${count}`, 'v');
    const lines = linesOf(await exportTo(database(), archives.path('whole'), { tenantId: tenant }));
    await pool().query('DELETE FROM memhall.working_values WHERE tenant_id = $1', [tenant]);
    await pool().query('DELETE FROM memhall.audit_records WHERE tenant_id = $1', [tenant]);
    const before = await counts();
    const at = lines.length - 2;
    const changed = (line: number, change: (text: string) => string) =>
      lines.map((text, index) => (index === line ? change(text) : text));
    const damaged: [string, string[], RegExp][] = [
      ['cut', lines.slice(0, 300), /its last line is missing: it was cut off/],
      ['torn', [...lines.slice(0, at), (lines[at] ?? '').slice(0, 20)], /line 402 is not a JSON object/],
      ['altered', changed(at, (text) => text.replace('"v"', '"w"')), /its hash does not match/],
      ['shortened', lines.filter((_, index) => index !== at), /its hash does not match/],
      ['renamed', changed(0, (text) => text.replace(tenant, 'other')), /its hash does not match/],
      ['longer', [...lines, lines[at] ?? ''], /there is data after its last line/],
      ['empty', [''], /line 1 is not a JSON object/],
      ['other', ['{"format":"other"}'], /does not start like a Memhall export/],
      ['newer', changed(0, (text) => text.replace('"version":1', '"version":2')), /version 2 of the format/],
    ];
    for (const [name, damage, message] of damaged) {
      await expect(importFrom(database(), archives.write(name, damage))).rejects.toThrow(message);
    }
    const body = lines.slice(0, -1);
    const forged: [string, string[], RegExp][] = [
      ['type', [...body, '{"type":"miracle"}'], /records of type "miracle", which this version does not know/],
      ['member', [...body, '{"type":"working_value","user_id":"u1","halo":1}'], /a member halo/],
      ['nobody', [...body, '{"type":"working_value","plan_id":"p"}'], /does not name a user/],
      ['chain', body.filter((_, index) => index !== 5), /audit chain of u1 is broken at record 4 \(missing\)/],
      ['head', body.filter((line) => !/"seq":200/.test(line) || /audit_head/.test(line)), /broken at record 200/],
    ];
    for (const [name, damage, message] of forged) {
      await expect(importFrom(database(), archives.sealed(name, damage))).rejects.toThrow(message);
    }
    await expect(importFrom(database(), archives.path('nowhere'))).rejects.toThrow(/The file .* does not exist/);
    expect(await counts()).toEqual(before);
  });

  it('overwrites nothing and names the record whose content differs', async () => {
    const tenant = newTenant();
    await put(tenant, 'u1', 'k', 'first');
    const first = await exportTo(database(), archives.path('first'), { tenantId: tenant });
    await put(tenant, 'u1', 'k', 'second');
    await expect(importFrom(database(), first)).rejects.toThrow(
      'The working value user_id=u1 plan_id=p key=k already exists with different content.',
    );
    const second = await exportTo(database(), archives.path('second'), { tenantId: tenant });
    expect(await importFrom(database(), second)).toMatchObject({ added: 0 });
    await elsewhere(async (target) => {
      await importFrom(target, first);
      await expect(importFrom(target, second)).rejects.toThrow(/key=k already exists with different content/);
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
        'The audit record user_id=u1 seq=1 already exists with different content.',
      );
      expect(await pastEverything(target, 'SELECT key FROM memhall.working_values')).toEqual([{ key: 'b' }]);
      await server.close();
    });
  });

  it('is rejected if it holds conversation keys locked with another master key', async () => {
    const tenant = newTenant();
    const caller = callerOf('u1', tenant);
    await engine().store.write({ tenantId: tenant, userId: 'u1' }, (tables) =>
      engine().cipher.seal(tables, tenant, Buffer.from('x'), 'c', new Date()),
    );
    await put(tenant, caller.userId, 'k', 'v');
    const path = await exportTo(database(), archives.path('locked'), { tenantId: tenant });
    const foreign = { masterKey: Buffer.alloc(32, 7).toString('base64') };
    await expect(importFrom(database(), path, foreign)).rejects.toThrow(/encrypted with a different master key/);
    expect(await importFrom(database(), path)).toMatchObject({ added: 0 });
  });

  it('does not bring back a user who was erased after the export', async () => {
    const tenant = newTenant();
    for (const user of ['ann', 'bob']) await put(tenant, user, 'k', 'v');
    await knows(tenant, 'ann', 'public from ann', { visibility: 'public' });
    const both = await exportTo(database(), archives.path('both'), { tenantId: tenant });
    const bob = await exportTo(database(), archives.path('bob'), { tenantId: tenant, userId: 'bob' });
    await forgetUser(engine(), callerOf('ann', tenant));
    await expect(importFrom(database(), both)).rejects.toThrow(
      /User ann was erased here after the archive was written/,
    );
    expect(await importFrom(database(), bob)).toMatchObject({ added: 0 });
    const after = await exportTo(database(), archives.path('after'), { tenantId: tenant });
    expect(recordsOf(after)).toContainEqual(expect.objectContaining({ type: 'receipt', user_id: 'ann' }));
    expect(await importFrom(database(), after)).toMatchObject({ added: 0 });
    await elsewhere(async (target) => {
      await importFrom(target, after);
      await expect(importFrom(target, both)).rejects.toThrow(/User ann was erased here/);
    });
  });

  it('is rejected if its audit chain is cut and the database has the full chain', async () => {
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
      await expect(importFrom(target, cut)).rejects.toThrow(/with its beginning, which the archive lacks/);
    });
    await elsewhere(async (target) => {
      await importFrom(target, cut);
      expect(await importFrom(target, cut)).toMatchObject({ added: 0 });
      const opened = await openDatabase(target.config(), pino({ level: 'silent' }));
      expect((await verifyAudit(openStore(opened))).faults).toEqual([]);
      await opened.close();
    });
  });

  it('is rejected by a database whose documents come from a blob store', async () => {
    const tenant = newTenant();
    await put(tenant, 'u1', 'k', 'v');
    const path = await exportTo(database(), archives.path('derived'), { tenantId: tenant });
    await elsewhere(async (target) => {
      await pastEverything(target, `INSERT INTO memhall.outer_store (store_id) VALUES ('s')`);
      await expect(importFrom(target, path)).rejects.toThrow(/are derived from Azure Blob Storage/);
      expect(await pastEverything(target, 'SELECT key FROM memhall.working_values')).toEqual([]);
    });
  });
});
