import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const profile = { profile_id: 'project-copilot-v1' };

describeOneDatabase('the review queue of a tenant', (database) => {
  const server = useServer(database, { jobs: 'true' });
  let admin: string;
  const root = '/v1/tenants/acme';
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    server().call({ method, path: `${root}${path}`, token: admin, headers, ...(body && { body }) });

  beforeAll(async () => {
    admin = await server().token({ tenant: 'acme', user: 'boss', roles: ['admin'] });
    for (const user of ['ann', 'ben', 'cleo']) await refuse(user);
  });

  /** Fills a document with entries that compaction does not remove for their size, then replays a conversation. */
  async function refuse(user: string) {
    const value = ['x'.repeat(9000), 'y'.repeat(8700)];
    const body = {
      ...{ ...profile, binding_id: 'user_dynamic', reason: 'live_update' },
      ops: [{ op: 'add', path: '/content/preferences', value }],
    };
    const headers = { 'if-match': '*', 'idempotency-key': randomUUID() };
    await call('PATCH', `/users/${user}/documents/user/user_dynamic.json`, body, headers);
    const messages = [{ id: 'm1', role: 'user', content: `My name is ${user === 'ann' ? 'Ann' : 'Ben'}.` }];
    const taken = await call('POST', `/users/${user}/conversations/c1/snapshots`, { ...profile, messages });
    for (;;) {
      const { body } = await call('GET', `/users/${user}/replays/${taken.body.replay_id}`);
      if (body.status === 'completed') return;
      await sleep(50);
    }
  }

  const makeRoom = (user: string) =>
    call(
      'PATCH',
      `/users/${user}/documents/user/user_dynamic.json`,
      {
        ...profile,
        binding_id: 'user_dynamic',
        reason: 'live_update',
        ops: [{ op: 'remove', path: '/content/preferences/0' }],
      },
      { 'if-match': '*', 'idempotency-key': randomUUID() },
    );

  const list = async (query = '') => (await call('GET', `/unresolved-patches${query}`)).body;
  const usersOf = async (query = '') => (await list(query)).patches.map(({ user_id }: { user_id: string }) => user_id);

  it('lists the patches of all users in pages, oldest first', async () => {
    const first = await list('?limit=2');
    expect(first.patches).toMatchObject([
      { user_id: 'ann', status: 'review', problem: { code: 'DOCUMENT_SIZE_EXCEEDED' } },
      { user_id: 'ben', namespace: 'user', path: 'user_dynamic.json' },
    ]);
    expect(await usersOf(`?limit=2&cursor=${first.next_cursor}`)).toEqual(['cleo']);
    expect(await usersOf('?status=review')).toEqual(['ann', 'ben', 'cleo']);
    expect(await usersOf('?status=waiting')).toEqual([]);
    expectProblem(await call('GET', '/unresolved-patches?status=new'), 'INVALID_REQUEST');
  });

  it('is for admins of the tenant only', async () => {
    const path = `${root}/unresolved-patches`;
    for (const roles of [[], ['service' as const], ['operator' as const]]) {
      const token = await server().token({ tenant: 'acme', user: 'ann', roles });
      expectProblem(await server().call({ path, token }), 'FORBIDDEN');
    }
    const other = await server().token({ tenant: 't2', user: 'boss', roles: ['admin'] });
    expectProblem(await server().call({ path, token: other }), 'FORBIDDEN');
    const { patches } = (await server().call({ path: '/v1/tenants/t2/unresolved-patches', token: other })).body;
    expect(patches).toEqual([]);
    const [{ patch_id: id }] = (await list()).patches;
    const foreign = { method: 'POST', path: `/v1/tenants/t2/unresolved-patches/${id}:discard`, token: other };
    expectProblem(await server().call(foreign), 'NOT_FOUND');
  });

  it('is counted in the metrics', async () => {
    const { body } = await server().call({ path: '/metrics' });
    expect(body).toContain('memhall_unresolved_patches{status="review"} 3');
    expect(body).toContain('memhall_unresolved_patches{status="waiting"} 0');
  });

  it('applies and discards patches of any user, recorded under the admin', async () => {
    const [ann, ben] = (await list()).patches.map(({ patch_id }: { patch_id: string }) => patch_id);
    const apply = () => call('POST', `/unresolved-patches/${ann}:apply`);
    expectProblem(await apply(), 'DOCUMENT_SIZE_EXCEEDED');
    await makeRoom('ann');
    const { status, body } = await apply();
    expect(status).toBe(200);
    expect(body.document.content.durable_facts).toMatchObject([{ text: 'My name is Ann' }]);
    const { records } = (await call('GET', '/users/ann/audit?target=documents/user/user_dynamic.json')).body;
    expect(records[0]).toMatchObject({ actor: { user_id: 'boss' }, operation: 'unresolvedQueue.apply' });
    expect((await call('POST', `/unresolved-patches/${ben}:discard`)).status).toBe(204);
    expect(await usersOf()).toEqual(['cleo']);
    for (const verb of ['apply', 'discard'])
      expectProblem(await call('POST', `/unresolved-patches/${ben}:${verb}`), 'NOT_FOUND');
  });

  it('is listed and decided on the command line without naming a user', async () => {
    const run = (...args: string[]) =>
      runCommand(['unresolved', ...args, '--tenant', 'acme', ...flagsOf(database())], { MEMHALL_EMBEDDER: 'none' });
    const { patch_id: id, ...shown } = JSON.parse((await run('list', '--status', 'review', '--json')).stdout);
    expect((await run('list')).stdout).toMatch(/^ID +CREATED \(UTC\) +STATUS +USER +DOCUMENT +PROBLEM\n/);
    expect(shown).toMatchObject({ user_id: 'cleo', status: 'review' });
    expect(await run('list', '--user', 'ann')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('no unresolved patches'),
    });
    await makeRoom('cleo');
    expect((await run('apply', id)).stdout).toMatch(/^Applied: user\/user_dynamic.json version=/);
    expect(await run('discard', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
  });
});
