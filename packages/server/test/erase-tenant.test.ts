import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { createTestDatabase, describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { findText } from './support/find-text.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { startTestServer, type TestServer, useServer } from './support/server.js';

async function fill(server: TestServer, tenant: string, marker: string, users = ['u1', 'u2', 'u3']): Promise<void> {
  for (const user of users) {
    const token = await server.token({ tenant, user });
    for (const call of personalWrites({ tenant, user }, marker)) {
      const { status, body } = await server.call({ ...call, token });
      expect([200, 201, 202], JSON.stringify(body)).toContain(status);
    }
  }
  const admin = await adminOf(server, tenant);
  const schema = { schema: { type: 'object', description: marker } };
  await server.call({ method: 'PUT', path: `/v1/tenants/${tenant}/schemas/s/1`, body: schema, token: admin });
  const ceilings = { events_days: 100 };
  await server.call({ method: 'PUT', path: `/v1/tenants/${tenant}/retention-ceilings`, body: ceilings, token: admin });
}

const adminOf = (server: TestServer, tenant: string) => server.token({ tenant, user: 'boss', roles: ['admin'] });

async function erase(server: TestServer, tenant: string) {
  return server.call({ method: 'DELETE', path: `/v1/tenants/${tenant}`, token: await adminOf(server, tenant) });
}

describeOneDatabase('erasing a tenant', (database) => {
  const server = useServer(database);

  it('removes all its users and its own data, and nothing of other tenants', async () => {
    const [mine, other] = [newMarker(), newMarker()];
    await fill(server(), 'acme', mine);
    await fill(server(), 'acme2', other);
    const before = await findText(database(), other);
    const { status, body } = await erase(server(), 'acme');
    expect(status).toBe(200);
    expect(body.counts).toMatchObject({
      users: 3,
      documents: 12,
      events: 3,
      plans: 3,
      shared_memories: 1,
      schemas: 1,
      keys: 1,
    });
    expect(body.receipt).toMatchObject({ tenant_id: 'acme', user_id: null, counts: body.counts });
    expect(await findText(database(), mine)).toEqual([]);
    expect(await findText(database(), other)).toEqual(before);
    const left = await pastEverything<{ table: string }>(
      database(),
      `SELECT 'audit_records' AS "table" FROM memhall.audit_records WHERE tenant_id = 'acme' AND user_id <> ''
       UNION ALL SELECT 'audit_heads' FROM memhall.audit_heads WHERE tenant_id = 'acme' AND user_id <> ''
       UNION ALL SELECT 'ceilings' FROM memhall.retention_ceilings WHERE tenant_id = 'acme'`,
    );
    expect(left).toEqual([]);
  });

  it('leaves a verifiable receipt in an audit chain that verifies', async () => {
    await fill(server(), 'proven', newMarker());
    const { receipt } = (await erase(server(), 'proven')).body;
    const path = `/v1/tenants/proven/receipts/${receipt.id}`;
    const check = async () => (await server().call({ path, token: await adminOf(server(), 'proven') })).body;
    const { remaining, ...checked } = await check();
    expect(checked).toMatchObject({ receipt, verified: true });
    expect(Object.values(remaining).every((count) => count === 0)).toBe(true);
    const opened = await openDatabase(database().config(), pino({ level: 'silent' }), { shareRunning: true });
    const report = await verifyAudit(openStore(opened), { tenantId: 'proven' });
    await opened.close();
    expect(report).toEqual({ chains: 1, records: 1n, faults: [] });
    await fill(server(), 'proven', newMarker(), ['u1']);
    expect(await check()).toMatchObject({ receipt, verified: true, newer: { documents: 4 } });
  });

  it('can be repeated, also concurrently', async () => {
    const marker = newMarker();
    await fill(server(), 'twice', marker);
    const answers = await Promise.all([erase(server(), 'twice'), erase(server(), 'twice')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const erased = answers.map(({ body }) => body.counts.documents);
    // Either both requests share one receipt, or the second finds nothing left.
    expect(new Set(erased).size === 1 ? erased[0] : erased[0] + erased[1]).toBe(12);
    expect((await erase(server(), 'twice')).body.counts).toMatchObject({ users: 0, documents: 0 });
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('rejects writes until it is finished, and can be finished later', async () => {
    const marker = newMarker();
    await fill(server(), 'halted', marker);
    await pastEverything(
      database(),
      `INSERT INTO memhall.receipts (tenant_id, id, user_id, started_at, counts, effective_at)
       VALUES ('halted', 'begun-before', '', now(), '{"users":1,"documents":2}', 'infinity')`,
    );
    const token = await server().token({ tenant: 'halted', user: 'u1' });
    const [write] = personalWrites({ tenant: 'halted', user: 'u1' }, marker, 1);
    if (write === undefined) throw new Error('nothing to write');
    expectProblem(await server().call({ ...write, token }), 'CONFLICT');
    const admin = await adminOf(server(), 'halted');
    const hold = { method: 'PUT', path: '/v1/tenants/halted/legal-holds/late', body: { reason: 'late' }, token: admin };
    expectProblem(await server().call(hold), 'CONFLICT');
    expectProblem(await server().call({ path: '/v1/tenants/halted/receipts/begun-before', token: admin }), 'NOT_FOUND');
    const { body } = await erase(server(), 'halted');
    expect(body.receipt).toMatchObject({ id: 'begun-before', counts: { users: 4, documents: 14 } });
    expect(await findText(database(), marker)).toEqual([]);
    expect((await server().call({ ...write, token })).status).toBe(200);
  });

  it('is for admins of the tenant only', async () => {
    expectProblem(await server().call({ method: 'DELETE', path: '/v1/tenants/t1' }), 'FORBIDDEN');
    const foreign = await adminOf(server(), 't2');
    expectProblem(await server().call({ method: 'DELETE', path: '/v1/tenants/t1', token: foreign }), 'FORBIDDEN');
  });
});

describe.runIf(inject('postgresUrl') !== null)('erasing a tenant while its users write on two servers', () => {
  it('leaves nothing that was written before it started', async () => {
    const database = await createTestDatabase('postgres');
    const servers = await Promise.all([startTestServer(database), startTestServer(database)]);
    const marker = newMarker();
    let stopped = false;
    const write = async (server: TestServer, user: string) => {
      const token = await server.token({ user });
      for (let number = 0; !stopped; number++) {
        for (const call of personalWrites({ tenant: 't1', user }, marker, number)) {
          const { status } = await server.call({ ...call, token });
          if (status === 409) return;
        }
      }
    };
    const [one, other] = servers;
    const writing = ['u1', 'u2', 'u3', 'u4'].map((user, index) => write(index % 2 === 0 ? one : other, user));
    while ((await findText(database, marker)).length < 20);
    expect((await erase(one, 't1')).status).toBe(200);
    stopped = true;
    await Promise.all(writing);
    expect(await findText(database, marker)).toEqual([]);
    await Promise.all(servers.map((server) => server.close()));
    await database.remove();
  });
});
