import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { findText } from './support/find-text.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { useServer } from './support/server.js';

describeOneDatabase('a legal hold', (database) => {
  const server = useServer(database);
  let tenants = 0;

  /** Creates a tenant with one user that no other test uses. */
  async function newTenant() {
    tenants += 1;
    const tenant = `tenant-${tenants}`;
    const marker = newMarker();
    const [admin, token] = await Promise.all([
      server().token({ tenant, user: 'boss', roles: ['admin'] }),
      server().token({ tenant, user: 'held' }),
    ]);
    for (const call of personalWrites({ tenant, user: 'held' }, marker)) await server().call({ ...call, token });
    const call = (method: string, path: string, body?: unknown) =>
      server().call({ method, path: `/v1/tenants/${tenant}${path}`, token: admin, ...(body ? { body } : {}) });
    return { tenant, marker, call, token };
  }

  it('can be created, read, replaced, listed and lifted', async () => {
    const { call } = await newTenant();
    const first = await call('PUT', '/legal-holds/case-1', { user_ids: ['held', 'held'], reason: 'a lawsuit' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      name: 'case-1',
      user_ids: ['held'],
      reason: 'a lawsuit',
      created_at: expect.any(String),
      updated_at: first.body.created_at,
    });
    const again = await call('PUT', '/legal-holds/case-1', { user_ids: ['held'], reason: 'a lawsuit' });
    expect(again).toMatchObject({ status: 200, body: first.body });
    const replaced = await call('PUT', '/legal-holds/case-1', { reason: 'all of you' });
    expect(replaced.status).toBe(200);
    expect(replaced.body).not.toHaveProperty('user_ids');
    expect((await call('GET', '/legal-holds/case-1')).body).toEqual(replaced.body);
    await call('PUT', '/legal-holds/case-0', { reason: 'another' });
    const page = (await call('GET', '/legal-holds?limit=1')).body;
    expect(page.legal_holds.map(({ name }: { name: string }) => name)).toEqual(['case-0']);
    const rest = (await call('GET', `/legal-holds?cursor=${page.next_cursor}`)).body;
    expect(rest).toEqual({ legal_holds: [replaced.body] });
    expect((await call('DELETE', '/legal-holds/case-0')).status).toBe(204);
    expectProblem(await call('DELETE', '/legal-holds/case-0'), 'NOT_FOUND');
    expectProblem(await call('GET', '/legal-holds/case-0'), 'NOT_FOUND');
  });

  it('keeps its users, and no others, from being forgotten', async () => {
    const { marker, call } = await newTenant();
    const before = await findText(database(), marker);
    await call('PUT', '/legal-holds/case', { user_ids: ['held'], reason: 'evidence' });
    const refused = await call('DELETE', '/users/held/memory');
    expectProblem(refused, 'LEGAL_HOLD');
    expect(refused.status).toBe(409);
    expect(refused.body.error.details).toEqual({ legal_holds: ['case'] });
    expect(await findText(database(), marker)).toEqual(before);
    expect((await call('DELETE', '/users/held-not/memory')).status).toBe(200);
    await call('DELETE', '/legal-holds/case');
    expect((await call('DELETE', '/users/held/memory')).status).toBe(200);
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('protects every user if it covers the whole tenant', async () => {
    const { call } = await newTenant();
    await call('PUT', '/legal-holds/case', { reason: 'evidence' });
    expectProblem(await call('DELETE', '/users/held/memory'), 'LEGAL_HOLD');
    expectProblem(await call('DELETE', '/users/anybody/memory'), 'LEGAL_HOLD');
  });

  it('keeps the whole tenant from being erased even if it covers only one user', async () => {
    const { marker, call } = await newTenant();
    const before = await findText(database(), marker);
    await call('PUT', '/legal-holds/case', { user_ids: ['held'], reason: 'evidence' });
    expectProblem(await call('DELETE', ''), 'LEGAL_HOLD');
    expect(await findText(database(), marker)).toEqual(before);
    expect((await call('PUT', '/retention-ceilings', { events_days: 5 })).status).toBe(200);
  });

  it('makes retention skip and report its users', async () => {
    const { call } = await newTenant();
    await call('PUT', '/legal-holds/case', { user_ids: ['held'], reason: 'evidence' });
    const body = { profile_id: 'project-copilot-v1', as_of: '2999-01-01T00:00:00Z' };
    expect((await call('POST', '/users/held/retention:apply', body)).body).toMatchObject({
      events_deleted: 0,
      audit_deleted: 0,
      held_users: ['held'],
    });
    await call('DELETE', '/legal-holds/case');
    expect((await call('POST', '/users/held/retention:apply', body)).body).toMatchObject({
      events_deleted: 1,
      held_users: [],
    });
  });

  it('has no effect in another tenant', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    await one.call('PUT', '/legal-holds/case', { reason: 'evidence' });
    expect((await other.call('DELETE', '/users/held/memory')).status).toBe(200);
    expectProblem(await other.call('GET', '/legal-holds/case'), 'NOT_FOUND');
  });

  it('is honoured by every concurrent erasure once it is acknowledged', async () => {
    for (let round = 0; round < 5; round++) {
      const { call } = await newTenant();
      const [held, forgotten] = await Promise.all([
        call('PUT', '/legal-holds/case', { user_ids: ['held'], reason: 'evidence' }),
        call('DELETE', '/users/held/memory'),
      ]);
      expect(held.status).toBe(201);
      // In either order: once the hold exists, either all of the data is there or none.
      const { versions } = (await call('GET', '/users/held/documents/user/user_dynamic.json/history')).body;
      if (forgotten.status === 409) expect(versions).toHaveLength(1);
      else expect([forgotten.status, versions]).toEqual([200, undefined]);
      expectProblem(await call('DELETE', '/users/held/memory'), 'LEGAL_HOLD');
    }
  });

  it('is for admins only and requires a reason', async () => {
    const { tenant, call, token } = await newTenant();
    const path = `/v1/tenants/${tenant}/legal-holds/case`;
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const body = method === 'PUT' ? { body: { reason: 'mine' } } : {};
      expectProblem(await server().call({ method, path, token, ...body }), 'FORBIDDEN');
    }
    expectProblem(await call('PUT', '/legal-holds/case', { user_ids: ['held'] }), 'INVALID_REQUEST');
    expectProblem(await call('PUT', '/legal-holds/case', { reason: ' ' }), 'INVALID_REQUEST');
    expectProblem(await call('PUT', '/legal-holds/case', { reason: 'x', user_ids: [] }), 'INVALID_REQUEST');
    expectProblem(await call('PUT', '/legal-holds/case', { reason: 'x', users: ['a'] }), 'UNKNOWN_FIELD');
  });
});
