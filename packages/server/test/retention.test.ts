import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { describeEachDatabase } from './support/databases.js';
import { add, documentPath, patch } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { findText } from './support/find-text.js';
import { GatewayUser } from './support/gateway-user.js';
import { pastEverything } from './support/past-everything.js';
import { type Answer, useServer } from './support/server.js';

const dayMs = 24 * 3600 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const profile = { profile_id: 'project-copilot-v1' };

/** Without the times, which are later in each answer. */
function toCounts({ status, body: { cutoffs: _, ...counts } }: Answer) {
  return status === 200 ? { status, counts } : { status };
}

describeEachDatabase('retention', (database) => {
  const server = useServer(database);
  const admin = (tenant = 't1') => server().token({ tenant, user: 'boss', roles: ['admin'] });

  async function sweep(user: string, verb: 'apply' | 'preview', body: object = profile, tenant = 't1') {
    const path = `/v1/tenants/${tenant}/users/${user}/retention:${verb}`;
    return server().call({ method: 'POST', path, body, token: await admin(tenant) });
  }

  /** The preview has to say the same. */
  async function apply(user: string, body: object = profile, tenant = 't1') {
    const preview = await sweep(user, 'preview', body, tenant);
    const applied = await sweep(user, 'apply', body, tenant);
    if (applied.status === 200 && 'as_of' in body) expect(preview.body).toEqual(applied.body);
    else expect(toCounts(preview)).toEqual(toCounts(applied));
    return applied;
  }

  async function ceilings(body: object, tenant = 't1') {
    const path = `/v1/tenants/${tenant}/retention-ceilings`;
    return server().call({ method: 'PUT', path, body, token: await admin(tenant) });
  }

  async function writeEvent(user: string, timestamp: string, digest: string, tenant = 't1') {
    const token = await server().token({ tenant, user });
    const path = `/v1/tenants/${tenant}/users/${user}/events`;
    const { status } = await server().call({ method: 'POST', path, body: { event: { timestamp, digest } }, token });
    expect(status).toBe(202);
  }

  async function findEvents(user: string, body: object, tenant = 't1'): Promise<string[]> {
    const token = await server().token({ tenant, user });
    const path = `/v1/tenants/${tenant}/users/${user}/events:search`;
    const answer = await server().call({ method: 'POST', path, body, token });
    return answer.body.results.map(({ digest }: { digest: string }) => digest).sort();
  }

  async function insertSnapshot(user: string, name: string, at: string) {
    await pastEverything(
      database(),
      `INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at, created_at, updated_at)
       VALUES ('t1', '${user}', 'snapshot', 'c', '${name}', 1, 'e', '{}', 2, '${at}', now(), now())`,
    );
  }

  async function faults(): Promise<unknown[]> {
    const opened = await openDatabase(database().config(), pino({ level: 'silent' }), { shareRunning: true });
    const report = await verifyAudit(openStore(opened));
    await opened.close();
    return report.faults;
  }

  it('deletes replays and unresolved patches with their conversation', async () => {
    const token = await server().token({ user: 'talker' });
    const path = '/v1/tenants/t1/users/talker';
    const replays: string[] = [];
    for (const conversation of ['c1', 'c2']) {
      const messages = [{ id: 'm1', role: 'user', content: 'I live in Lisbon.' }];
      const body = { ...profile, messages };
      const taken = await server().call({
        method: 'POST',
        path: `${path}/conversations/${conversation}/snapshots`,
        body,
        token,
      });
      replays.push(taken.body.replay_id);
      await pastEverything(
        database(),
        `INSERT INTO memhall.unresolved_patches (tenant_id, user_id, patch_id, replay_id, profile_id, binding_id, namespace, path,
           base_version, ops, confidence, evidence, idempotency_key, status, attempts, problem_code, problem, created_at, updated_at)
         VALUES ('t1', 'talker', '${conversation}', '${taken.body.replay_id}', 'p', 'b', 'n', 'p.json', 0, '[]', 0.9, '{}', 'k', 'review', 1,
           'ETAG_MISMATCH', 'x', now(), now())`,
      );
    }
    await pastEverything(
      database(),
      `UPDATE memhall.artifacts SET occurred_at = now() - interval '61 days' WHERE user_id = 'talker' AND folder = 'c1'`,
    );
    expect((await apply('talker')).body).toMatchObject({ snapshots_deleted: 1 });
    const seen = await Promise.all(replays.map((id) => server().call({ path: `${path}/replays/${id}`, token })));
    expect(seen.map(({ status }) => status)).toEqual([404, 200]);
    const { body } = await server().call({ path: `${path}/unresolved-patches`, token });
    expect(body.patches).toMatchObject([{ patch_id: 'c2' }]);
  });

  it('deletes events by the time they describe, also from search', async () => {
    await writeEvent('old', daysAgo(366), 'the old heron');
    await writeEvent('old', daysAgo(364), 'the young heron');
    await writeEvent('other', daysAgo(366), 'the other heron');
    const asOf = new Date().toISOString();
    const { status, body } = await apply('old', { ...profile, as_of: asOf });
    expect(status).toBe(200);
    expect(body).toEqual({
      events_deleted: 1,
      audit_deleted: 0,
      snapshots_deleted: 0,
      search_documents_deleted: 1,
      resources_deleted: 0,
      cutoffs: {
        snapshots: new Date(Date.parse(asOf) - 60 * dayMs).toISOString(),
        events: new Date(Date.parse(asOf) - 365 * dayMs).toISOString(),
        audit: new Date(Date.parse(asOf) - 365 * dayMs).toISOString(),
        resources: null,
      },
      held_users: [],
    });
    expect(await findEvents('old', {})).toEqual(['the young heron']);
    expect(await findEvents('old', { query: 'heron' })).toEqual(['the young heron']);
    expect(await findEvents('other', { query: 'heron' })).toEqual(['the other heron']);
    expect((await apply('old')).body).toMatchObject({ events_deleted: 0, search_documents_deleted: 0 });
  });

  it('deletes snapshots by age', async () => {
    await insertSnapshot('snapper', 'old', daysAgo(61));
    await insertSnapshot('snapper', 'young', daysAgo(59));
    expect((await apply('snapper')).body).toMatchObject({ snapshots_deleted: 1, events_deleted: 0 });
    expect((await apply('snapper')).body).toMatchObject({ snapshots_deleted: 0 });
  });

  it('uses the shorter of profile and ceiling', async () => {
    const tenant = 't-ceiling';
    const path = `/v1/tenants/${tenant}/retention-ceilings`;
    const get = async () => (await server().call({ path, token: await admin(tenant) })).body;
    const none = { snapshots_days: null, events_days: null, audit_days: null, resources_days: null };
    expect(await get()).toEqual(none);
    expect((await ceilings({ events_days: 10, snapshots_days: 9999 }, tenant)).status).toBe(200);
    expect(await get()).toEqual({ ...none, events_days: 10, snapshots_days: 9999 });
    await writeEvent('u1', daysAgo(11), 'eleven', tenant);
    await writeEvent('u1', daysAgo(9), 'nine', tenant);
    const { body } = await apply('u1', profile, tenant);
    expect(body.events_deleted).toBe(1);
    expect(Date.now() - Date.parse(body.cutoffs.snapshots)).toBeLessThan(61 * dayMs);
    expect(await findEvents('u1', {}, tenant)).toEqual(['nine']);
    expect((await ceilings({}, tenant)).body).toEqual(none);
    expect((await apply('u1', profile, tenant)).body.events_deleted).toBe(0);
  });

  it('deletes files and their search entries by age if the tenant sets a limit', async () => {
    const tenant = 't-files';
    const me = await GatewayUser.of(server(), { tenant });
    const marker = `zq${randomUUID().replaceAll('-', '')}`;
    expect((await me.upload(`The walrus ${marker}.`)).status).toBe(200);
    const later = { ...profile, as_of: new Date(Date.now() + 31 * dayMs).toISOString() };
    expect((await apply(me.user, later, tenant)).body).toMatchObject({ resources_deleted: 0 });
    await ceilings({ resources_days: 30 }, tenant);
    expect((await apply(me.user, profile, tenant)).body).toMatchObject({ resources_deleted: 0 });
    expect(await me.texts('walrus')).toHaveLength(1);
    const { body } = await apply(me.user, later, tenant);
    expect(body).toMatchObject({ resources_deleted: 1, cutoffs: { resources: expect.any(String) } });
    expect(await findText(database(), marker)).toEqual([]);
    expect(await me.texts('walrus')).toEqual([]);
    expect((await me.post('/resources/list')).body).toEqual({ resources: [] });
    expect(await faults()).toEqual([]);
  });

  it('keeps data that no rule covers', async () => {
    const tenant = 't-forever';
    const bindings = (await server().call({ path: '/v1/tenants/t1/profiles/project-copilot-v1' })).body;
    const { retention_rules: _, profile_id: __, ...rest } = bindings;
    const path = `/v1/tenants/${tenant}/profiles/forever`;
    expect((await server().call({ method: 'PUT', path, body: rest, token: await admin(tenant) })).status).toBe(201);
    await writeEvent('u1', '1999-01-01T00:00:00Z', 'ancient', tenant);
    const { body } = await apply('u1', { profile_id: 'forever', as_of: '2999-01-01T00:00:00Z' }, tenant);
    expect(body).toMatchObject({ events_deleted: 0, audit_deleted: 0 });
    expect(body.cutoffs).toEqual({ snapshots: null, events: null, audit: null, resources: null });
  });

  it('deletes more than one batch', async () => {
    await pastEverything(
      database(),
      `INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at, created_at, updated_at)
       SELECT 't1', 'many', 'event', '', 'e' || n, 1, 'e', '{}', 2, now() - interval '400 days', now(), now() FROM generate_series(1, 1200) n`,
    );
    expect((await apply('many')).body).toMatchObject({ events_deleted: 1200, search_documents_deleted: 0 });
  });

  it('deletes each event once in concurrent runs', async () => {
    for (let number = 0; number < 5; number++) await writeEvent('busy', daysAgo(400 + number), `event ${number}`);
    const answers = await Promise.all(Array.from({ length: 4 }, () => sweep('busy', 'apply')));
    expect(answers.map(({ body }) => body.events_deleted).sort()).toEqual([0, 0, 0, 5]);
    expect(await faults()).toEqual([]);
  });

  it('deletes audit records and keeps past document states and repeated writes available', async () => {
    const keys = Array.from({ length: 4 }, () => randomUUID());
    const token = await server().token({ user: 'writer' });
    const write = (index: number) =>
      patch(server(), {
        user: 'writer',
        ops: [add('/preferences', [`choice ${index}`])],
        headers: { 'idempotency-key': keys[index] ?? '' },
        token,
      });
    const written = [];
    for (const index of keys.keys()) written.push((await write(index)).body);
    const future = new Date(Date.now() + 400 * dayMs).toISOString();
    const { body } = await apply('writer', { ...profile, as_of: future });
    expect(body.audit_deleted).toBe(4);
    expect((await apply('writer', { ...profile, as_of: future })).body.audit_deleted).toBe(0);
    expect(await faults()).toEqual([]);

    for (const index of keys.keys()) {
      expect((await write(index)).body).toEqual({ ...written[index], idempotency_replay: true });
      const at = written[index]?.document.updated_at;
      const path = `${documentPath('writer', ['user', 'user_dynamic.json'])}?at=${at}`;
      expect((await server().call({ path, token })).body.etag).toBe(written[index]?.etag);
    }
    const history = await server().call({
      path: `${documentPath('writer', ['user', 'user_dynamic.json'])}/history`,
      token,
    });
    expect(history.body.versions).toEqual([]);
  });

  it('deletes nothing as of the first moments that can be stored', async () => {
    await ceilings({ events_days: 36_500, resources_days: 36_500 }, 'ancient');
    const { status, body } = await apply('u1', { ...profile, as_of: '0001-01-01T00:00:00Z' }, 'ancient');
    expect([status, body.events_deleted]).toEqual([200, 0]);
  });

  it('rejects non-admins, unknown profiles and invalid bodies', async () => {
    const path = '/v1/tenants/t1/users/u1/retention:apply';
    for (const roles of [[], ['service']] as const) {
      const token = await server().token({ roles: [...roles] });
      expectProblem(await server().call({ method: 'POST', path, body: profile, token }), 'FORBIDDEN');
      const put = { method: 'PUT', path: '/v1/tenants/t1/retention-ceilings', body: {}, token };
      expectProblem(await server().call(put), 'FORBIDDEN');
    }
    expectProblem(await apply('u1', { profile_id: 'unknown' }), 'PROFILE_NOT_FOUND');
    expectProblem(await apply('u1', {}), 'INVALID_REQUEST');
    expectProblem(await apply('u1', { ...profile, as_of: '2026-02-30T00:00:00Z' }), 'INVALID_REQUEST');
    for (const asOf of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-05:00']) {
      expectProblem(await apply('u1', { ...profile, as_of: asOf }), 'INVALID_REQUEST');
    }
    expectProblem(await apply('u1', { ...profile, dry_run: true }), 'UNKNOWN_FIELD');
    expectProblem(await ceilings({ events_days: 0 }), 'INVALID_REQUEST');
    expectProblem(await ceilings({ memories_days: 5 }), 'UNKNOWN_FIELD');
  });
});
