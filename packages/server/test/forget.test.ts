import { createHash } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { createTestDatabase, describeEachDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { findText } from './support/find-text.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { type Answer, startTestServer, type TestServer, useServer } from './support/server.js';

const nothing = {
  documents: 0,
  events: 0,
  snapshots: 0,
  versions: 0,
  replays: 0,
  unresolved_patches: 0,
  quarantined: 0,
  resources: 0,
  user_keys: 0,
  user_settings: 0,
  memories: 0,
  shared_memories: 0,
  search_documents: 0,
  working_values: 0,
  task_contexts: 0,
  plans: 0,
  sessions: 0,
  unrecorded_sessions: 0,
  idempotency_keys: 0,
  audit_records: 0,
  index_entries: 0,
  unindexed_events: 0,
  episodes: 0,
  facts: 0,
  fact_states: 0,
  fact_evidence: 0,
  fact_readings: 0,
  subject_names: 0,
  fact_places: 0,
  reverted: 0,
  resource_pieces: 0,
  changes: 0,
  webhook_events: 0,
  checkpoints: 0,
  memory_versions: 0,
  sub_tasks: 0,
  plan_correlations: 0,
  outer_heads: 0,
  audit_cuts: 0,
  audit_heads: 0,
  audit_chains: 0,
  notes_elsewhere: 0,
  texts_elsewhere: 0,
  authors_elsewhere: 0,
  passages_elsewhere: 0,
  quarantined_elsewhere: 0,
  versions_elsewhere: 0,
};

async function fill(server: TestServer, user: string, marker: string, tenant = 't1'): Promise<void> {
  const token = await server.token({ tenant, user });
  for (const call of personalWrites({ tenant, user }, marker)) {
    const answer = await server.call({ ...call, token });
    expect([200, 201, 202], JSON.stringify(answer.body)).toContain(answer.status);
  }
}

const adminOf = (server: TestServer, tenant = 't1') => server.token({ tenant, user: 'boss', roles: ['admin'] });

async function forget(server: TestServer, user: string, tenant = 't1'): Promise<Answer> {
  return server.call({
    method: 'DELETE',
    path: `/v1/tenants/${tenant}/users/${user}/memory`,
    token: await adminOf(server, tenant),
  });
}

async function check(server: TestServer, id: string, tenant = 't1'): Promise<Answer> {
  return server.call({ path: `/v1/tenants/${tenant}/receipts/${id}`, token: await adminOf(server, tenant) });
}

describeEachDatabase('forgetting a user', (database) => {
  const server = useServer(database);

  it('removes everything and reports the counts', async () => {
    const marker = newMarker();
    await fill(server(), 'gone', marker);
    expect((await findText(database(), marker)).length).toBeGreaterThan(20);
    const { status, body } = await forget(server(), 'gone');
    expect(status).toBe(200);
    expect(body.counts).toEqual({
      ...nothing,
      documents: 4,
      versions: 4,
      events: 1,
      snapshots: 1,
      memories: 7,
      shared_memories: 1,
      search_documents: 1,
      working_values: 1,
      task_contexts: 1,
      plans: 1,
      sessions: 1,
      idempotency_keys: 2,
      sub_tasks: 1,
      plan_correlations: 1,
      facts: 1,
      fact_states: 1,
      subject_names: 1,
      changes: 16,
      audit_records: 12,
      audit_heads: 2,
    });
    expect(body.receipt).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: 't1',
      user_id: 'gone',
      time: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      counts: body.counts,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('can be looked at first: what would go, and which legal hold forbids it', async () => {
    await fill(server(), 'looked-at', newMarker());
    const token = await server().token({ user: 'boss', roles: ['admin'] });
    const path = '/v1/tenants/t1/users/looked-at/memory';
    const first = await server().call({ path, token });
    expect(first).toMatchObject({ status: 200, body: { legal_holds: [] } });
    expect(first.body.counts).toMatchObject({ documents: 4, memories: 7, shared_memories: 1, facts: 1, events: 1 });
    expect((await server().call({ path, token })).body.counts).toMatchObject({ memories: 7 });
    const hold = '/v1/tenants/t1/legal-holds/look';
    const body = { user_ids: ['looked-at'], reason: 'a lawsuit' };
    await server().call({ method: 'PUT', path: hold, token, body });
    expect((await server().call({ path, token })).body.legal_holds).toEqual(['look']);
    await server().call({ method: 'DELETE', path: hold, token });
    expect((await server().call({ path, token: await server().token({ user: 'looked-at' }) })).status).toBe(403);
    expect((await forget(server(), 'looked-at')).body.counts).toMatchObject({ documents: 4, memories: 7, facts: 1 });
  });

  it('leaves the data of others unchanged', async () => {
    const [mine, theirs, elsewhere] = [newMarker(), newMarker(), newMarker()];
    await fill(server(), 'me', mine);
    await fill(server(), 'me-too', theirs);
    await fill(server(), 'me', elsewhere, 't2');
    const before = [await findText(database(), theirs), await findText(database(), elsewhere)];
    await forget(server(), 'me');
    expect(await findText(database(), mine)).toEqual([]);
    expect([await findText(database(), theirs), await findText(database(), elsewhere)]).toEqual(before);
  });

  it('hides the user’s data from every search at once, even if it was searched before', async () => {
    const marker = newMarker();
    await fill(server(), 'sought', marker);
    const [own, other] = await Promise.all([server().token({ user: 'sought' }), server().token({ user: 'other' })]);
    const ask = async (token: string) =>
      (await server().call({ method: 'POST', path: '/v1/memory/semantic/query', body: { query: marker }, token })).body
        .count;
    expect([await ask(own), await ask(other)]).toEqual([2, 1]);
    await forget(server(), 'sought');
    expect([await ask(own), await ask(other)]).toEqual([0, 0]);
  });

  it('can be repeated, and works for a user who never existed', async () => {
    await fill(server(), 'twice', newMarker());
    await forget(server(), 'twice');
    for (const user of ['twice', 'nobody']) {
      const { status, body } = await forget(server(), user);
      expect({ status, counts: body.counts }).toEqual({ status: 200, counts: nothing });
      expect((await check(server(), body.receipt.id)).body.verified).toBe(true);
    }
  });

  it('is for admins of the tenant only', async () => {
    const path = '/v1/tenants/t1/users/u1/memory';
    for (const roles of [[], ['service'], ['operator']] as const) {
      const token = await server().token({ roles: [...roles] });
      expectProblem(await server().call({ method: 'DELETE', path, token }), 'FORBIDDEN');
    }
    expectProblem(await server().call({ method: 'DELETE', path, token: await adminOf(server(), 't2') }), 'FORBIDDEN');
  });

  it('lets the user start again', async () => {
    const marker = newMarker();
    await fill(server(), 'again', newMarker());
    await forget(server(), 'again');
    await fill(server(), 'again', marker);
    const token = await server().token({ user: 'again' });
    const { body } = await server().call({ path: '/v1/tenants/t1/users/again/audit?limit=100', token });
    expect(body.records.map(({ seq }: { seq: number }) => seq).sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
  });
});

describeEachDatabase('the receipt of a forgotten user', (database) => {
  const server = useServer(database);

  it('is verified by counting again, and counts newer data separately', async () => {
    await fill(server(), 'proven', newMarker());
    const { receipt } = (await forget(server(), 'proven')).body;
    expect((await check(server(), receipt.id)).body).toEqual({
      receipt,
      remaining: nothing,
      newer: nothing,
      verified: true,
    });
    await fill(server(), 'proven', newMarker());
    const { body } = await check(server(), receipt.id);
    expect(body).toMatchObject({ receipt, remaining: nothing, newer: { documents: 4, plans: 1 }, verified: true });
  });

  it('has a hash that anyone can compute', async () => {
    const { hash, ...said } = (await forget(server(), 'hashed')).body.receipt;
    const sorted = (value: object) => Object.fromEntries(Object.entries(value).sort());
    const text = JSON.stringify(sorted({ ...said, counts: sorted(said.counts) }));
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
  });

  it('fails verification if older data comes back', async () => {
    const { receipt } = (await forget(server(), 'back')).body;
    await pastEverything(
      database(),
      `INSERT INTO memhall.sessions VALUES ('t1', 'back', 's', NULL, NULL, '{}', 'e', now() - interval '1 day', now())`,
    );
    const { body } = await check(server(), receipt.id);
    expect(body).toMatchObject({ remaining: { ...nothing, sessions: 1 }, verified: false });
  });

  it('counts data that arrived during the erasure and was stored afterwards as newer', async () => {
    const { receipt } = (await forget(server(), 'busy')).body;
    await pastEverything(
      database(),
      `UPDATE memhall.receipts SET started_at = finished_at - interval '1 second' WHERE id = '${receipt.id}'`,
    );
    await pastEverything(
      database(),
      `INSERT INTO memhall.sessions VALUES ('t1', 'busy', 's', NULL, NULL, '{}', 'e', '${receipt.time}'::timestamptz - interval '500 ms', now())`,
    );
    const { body } = await check(server(), receipt.id);
    expect(body).toMatchObject({ remaining: nothing, newer: { ...nothing, sessions: 1 }, verified: true });
  });

  it('fails verification if it was altered', async () => {
    const { receipt } = (await forget(server(), 'forged')).body;
    await pastEverything(
      database(),
      `UPDATE memhall.receipts SET counts = '{"documents":7}' WHERE id = '${receipt.id}'`,
    );
    expect((await check(server(), receipt.id)).body).toMatchObject({ remaining: nothing, verified: false });
  });

  it('is recorded in the tenant’s own audit chain, with the user’s id', async () => {
    const { receipt } = (await forget(server(), 'told')).body;
    const rows = await pastEverything<{ record: string }>(
      database(),
      `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = '' AND target = 'receipts/${receipt.id}'`,
    );
    expect(rows.map(({ record }) => JSON.parse(record))).toEqual([
      expect.objectContaining({
        operation: 'users.forget',
        erased_user_id: 'told',
        content_sha256: receipt.hash,
        counts: receipt.counts,
        actor: { user_id: 'boss', service_id: null, roles: ['admin'] },
      }),
    ]);
  });

  it('is visible to admins of its tenant only', async () => {
    const { receipt } = (await forget(server(), 'private')).body;
    expectProblem(await server().call({ path: `/v1/tenants/t1/receipts/${receipt.id}` }), 'FORBIDDEN');
    expectProblem(await check(server(), receipt.id, 't2'), 'NOT_FOUND');
    expectProblem(await check(server(), 'no-such-receipt'), 'NOT_FOUND');
  });
});

describe.runIf(inject('postgresUrl') !== null)('forgetting a user on one of two servers', () => {
  it('takes effect on the other at once, including its in-memory data', async () => {
    const database = await createTestDatabase('postgres');
    const [one, other] = await Promise.all([
      startTestServer(database, { embedder: 'local' }),
      startTestServer(database, { embedder: 'local' }),
    ]);
    const marker = newMarker();
    await fill(one, 'u1', marker);
    const ask = (server: TestServer, token: string) =>
      server.call({ method: 'POST', path: '/v1/memory/semantic/query', body: { query: marker }, token });
    for (const server of [one, other]) {
      expect((await ask(server, await server.token({ user: 'u1' }))).body.count).toBe(2);
      expect((await ask(server, await server.token({ user: 'u2' }))).body.count).toBe(1);
    }
    await forget(one, 'u1');
    for (const server of [one, other]) {
      expect((await ask(server, await server.token({ user: 'u1' }))).body.count).toBe(0);
      expect((await ask(server, await server.token({ user: 'u2' }))).body.count).toBe(0);
    }
    await Promise.all([one.close(), other.close()]);
    await database.remove();
  });
});
