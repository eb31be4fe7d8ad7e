import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useLegacyStore } from './support/legacy-store.js';
import { useMcpClients } from './support/mcp-client.js';
import { pastEverything } from './support/past-everything.js';
import { type Call, startTestServer, type TestServer, useServer } from './support/server.js';
import { startSimplePlugin } from './support/simple-plugin.js';

const exportPath = '/admin/memories/export';
const importPath = '/admin/memories/import';
const secret = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

async function administer(server: TestServer, call: Call) {
  return server.call({ ...call, token: await server.token({ roles: ['admin'] }) });
}

const bringIn = (server: TestServer, body: unknown, query = '') =>
  administer(server, { method: 'POST', path: `${importPath}${query}`, body });

const ofEachKind = (count: number, namespace: string) =>
  ['fact', 'summary', 'checkpoint'].flatMap((kind) =>
    Array.from({ length: count }, (_, number) => ({
      ...{ id: randomUUID(), namespace, kind, source: 'agent' },
      ...{ content: `Note ${number}.`, created_at: '2026-01-01T00:00:00Z' },
    })),
  );

async function readAll(server: TestServer, limit?: number) {
  if (limit === undefined) return (await administer(server, { path: exportPath })).body.memories;
  const memories: { id: string }[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await administer(server, { path: `${exportPath}?limit=${limit}${cursor}` });
    expect(body.memories.length).toBeLessThanOrEqual(limit);
    memories.push(...body.memories);
    if (body.next_cursor === undefined) return memories;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

describeOneDatabase('export and import after the cutover, with the built-in plugin', (database) => {
  const server = useServer(database, { cutover: 'true' });
  const at = (name: string) => ({ namespace: name, kind: 'fact', source: 'agent' });

  it('are for administrators only', async () => {
    for (const call of [{ path: exportPath }, { method: 'POST', path: importPath, body: { memories: [] } }]) {
      expectProblem(await server().call(call), 'FORBIDDEN');
      expectProblem(await server().call({ ...call, token: 'nonsense' }), 'UNAUTHENTICATED');
      const token = await server().token({ roles: ['service'] });
      expectProblem(await server().call({ ...call, token }), 'FORBIDDEN');
    }
  });

  it('import exported memories once, with secrets redacted', async () => {
    const pinned = {
      ...{ id: idOf(1), content: 'The office is in Porto.', ...at('org:acme') },
      ...{ pin: true, expires_at: '2999-01-01T00:00:00.000Z', propagation: { to: ['all'] } },
    };
    const leaked = { content: `Use ${secret} to deploy.`, namespace: 'workspace:w1' };
    const first = await bringIn(server(), { memories: [pinned, leaked] });
    expect(first).toMatchObject({ status: 200, body: { imported: 2, skipped: 0, errors: 0, total: 2 } });
    expect(await readAll(server())).toEqual([
      { ...pinned, created_at: expect.any(String) },
      {
        ...{ id: expect.any(String), content: 'Use [REDACTED:GITHUB_PAT] to deploy.', ...at('workspace:w1') },
        created_at: expect.any(String),
      },
    ]);
    const { body } = await administer(server(), { path: exportPath });
    expect((await bringIn(server(), body)).body).toEqual({ imported: 0, skipped: 2, errors: 0, total: 2 });
    expect((await bringIn(server(), [pinned, leaked])).body).toEqual({ imported: 0, skipped: 2, errors: 0, total: 2 });
    const changed = { ...pinned, content: 'The office moved to Braga.' };
    expect((await bringIn(server(), [changed])).body).toEqual({ imported: 1, skipped: 0, errors: 0, total: 1 });
  });

  it('count entries that cannot be stored, and report the reasons on request', async () => {
    const entries = [
      { content: ' ', namespace: 'workspace:w1' },
      { content: 'x', namespace: 'nowhere' },
      { content: 'x', workspace_id: 'w', scope: 'TEAM' },
      { content: 'x', workspace_id: 'w', scope: 'PLANET' },
      { content: 'x', namespace: 'workspace:w1', id: 'seven' },
      { content: 'x', namespace: 'workspace:w1', kind: 'rumour' },
      { content: 'x', namespace: 'workspace:w1', expires_at: 'soon' },
      { content: 'x', namespace: 'workspace:w1', pin: 1 },
      { content: 'x', namespace: 'workspace:w2', id: idOf(1) },
      { content: 'It stays.', workspace_id: 'w3', scope: 'LOCAL', namespace: 'general', workspace_name: 'ignored' },
    ];
    const { body } = await bringIn(server(), { memories: entries }, '?failures=true');
    expect(body).toEqual({
      ...{ imported: 1, skipped: 0, errors: 9, total: 10 },
      failures: [
        '"content" must be a string that is not blank.',
        'has neither a scope nor a namespace',
        'belongs to a workspace that does not exist',
        'has a scope other than LOCAL, TEAM, GLOBAL',
        '"id" must be a UUID.',
        '"kind" must be one of fact, summary, checkpoint.',
        '"expires_at" must be an RFC 3339 timestamp.',
        '"pin" must be true or false.',
        'The memory with this id belongs to another namespace.',
      ].map((reason, index) => ({ index, reason })),
    });
  });

  it.each([[{}], ['text'], [{ memories: {} }], [[1]], [{ memories: [], more: 1 }]])(
    'reject the body %j',
    async (body) => {
      expect((await bringIn(server(), body)).status).toBe(400);
    },
  );

  it('reject NUL characters and invalid cursors', async () => {
    expectProblem(await bringIn(server(), [{ content: 'a\u0000b', namespace: 'workspace:w1' }]), 'INVALID_REQUEST');
    expectProblem(await administer(server(), { path: `${exportPath}?cursor=x` }), 'INVALID_REQUEST');
  });

  it('return large and numerous namespaces, whole or page by page', async () => {
    const entries = Array.from({ length: 130 }, (_, number) => ({
      id: randomUUID(),
      content: `Fact number ${number}.`,
      namespace: number < 110 ? 'team:large' : `custom:n${number}`,
    }));
    expect((await bringIn(server(), entries)).body.imported).toBe(130);
    const ids = (memories: { id: string }[]) => memories.map(({ id }) => id).sort();
    const all = ids(await readAll(server()));
    expect(all).toEqual(expect.arrayContaining(entries.map(({ id }) => id)));
    expect(ids(await readAll(server(), 7))).toEqual(all);
    const { body } = await administer(server(), { path: `${exportPath}?namespace=team:large` });
    expect(body.memories).toHaveLength(110);
  });

  it('keep tenants apart and record both operations in the audit log', async () => {
    const token = await server().token({ tenant: 't2', roles: ['admin'] });
    expect((await server().call({ path: exportPath, token })).body).toEqual({ memories: [] });
    const records = await pastEverything<{ record: string }>(
      database(),
      `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = ''`,
    );
    const kept = records.map(({ record }) => JSON.parse(record));
    expect(kept.some(({ operation, target }) => operation === 'memories.export' && target === 'memories/plugin')).toBe(
      true,
    );
    const imports = kept.filter(({ operation }) => operation === 'memories.import');
    expect(imports.some(({ target }) => target === `memory/fact/${idOf(1)}`)).toBe(true);
    expect(JSON.stringify(kept)).not.toContain('Porto');
  });
});

describeOneDatabase('export and import without a legacy store', (database) => {
  const server = useServer(database, { cutover: 'TRUE', memoryPluginTenant: 't1' });

  it('return CONFLICT unless the cutover flag is exactly "true"', async () => {
    const answer = await administer(server(), { path: exportPath });
    expectProblem(answer, 'CONFLICT');
    expect(answer.body.error.message).toMatch(/MEMORY_LEGACY_DATABASE_URL|no table agent_memories/);
    expectProblem(await bringIn(server(), []), 'CONFLICT');
  });
});

describe.runIf(inject('postgresUrl') !== null)('the cutover and the way back', () => {
  const legacy = useLegacyStore(`
    INSERT INTO workspaces (id, parent_id) VALUES ('root', NULL), ('child', 'root'), ('other', NULL);
    INSERT INTO agent_memories (id, workspace_id, content, scope, namespace, created_at) VALUES
      ('${idOf(1)}', 'child', 'The child has a kettle.', 'LOCAL', 'general', '2024-01-01'),
      ('${idOf(2)}', 'child', 'The team has a car.', 'TEAM', 'things', '2024-01-02')`);
  const countRows = async () =>
    Number((await legacy().client.query('SELECT count(*) FROM agent_memories')).rows[0]?.count);

  describeOneDatabase('on one server after another', (database) => {
    const start = (settings: Record<string, string> = {}) =>
      startTestServer(database(), { legacyDatabaseUrl: legacy().url, memoryPluginTenant: 't1', ...settings });
    afterAll(async () => {
      await legacy().client.query(`DELETE FROM agent_memories WHERE id NOT IN ('${idOf(1)}', '${idOf(2)}')`);
    });

    it('uses the legacy store before the cutover, for its tenant only', async () => {
      const before = await start();
      expect(await readAll(before, 1)).toEqual([
        {
          ...{ id: idOf(1), content: 'The child has a kettle.', workspace_id: 'child', scope: 'LOCAL' },
          ...{ namespace: 'general', created_at: '2024-01-01T00:00:00.000Z' },
        },
        {
          ...{ id: idOf(2), content: 'The team has a car.', workspace_id: 'child', scope: 'TEAM' },
          ...{ namespace: 'things', created_at: '2024-01-02T00:00:00.000Z' },
        },
      ]);
      const entry = { id: idOf(3), content: `Key: ${secret}`, workspace_id: 'root', scope: 'GLOBAL' };
      const born = { id: idOf(4), content: 'From a plugin.', namespace: 'team:root' };
      const strange = { id: idOf(5), content: 'From a plugin.', namespace: 'team:child' };
      const entries = { memories: [entry, born, strange] };
      expect((await bringIn(before, entries)).body).toEqual({ imported: 2, skipped: 0, errors: 1, total: 3 });
      expect((await bringIn(before, entries)).body).toEqual({ imported: 0, skipped: 2, errors: 1, total: 3 });
      const { rows } = await legacy().client.query(
        `SELECT workspace_id, scope, content FROM agent_memories WHERE id IN ('${idOf(3)}', '${idOf(4)}') ORDER BY id`,
      );
      expect(rows).toEqual([
        { workspace_id: 'root', scope: 'GLOBAL', content: 'Key: [REDACTED:GITHUB_PAT]' },
        { workspace_id: 'root', scope: 'TEAM', content: 'From a plugin.' },
      ]);
      const token = await before.token({ tenant: 't2', roles: ['admin'] });
      expectProblem(await before.call({ path: exportPath, token }), 'FORBIDDEN');
      await before.close();
    });

    it('uses the plugin after the cutover, leaves the legacy store unchanged, and can switch back', async () => {
      const before = await start();
      const { body: exported } = await administer(before, { path: exportPath });
      await before.close();
      const rowCount = await countRows();

      const after = await start({ cutover: 'true' });
      expect((await bringIn(after, exported)).body).toEqual({ imported: 4, skipped: 0, errors: 0, total: 4 });
      const [child, ...others] = await readAll(after);
      expect([child, ...others].map(({ namespace }) => namespace)).toEqual([
        'org:root',
        'team:root',
        'team:root',
        'workspace:child',
      ]);
      await bringIn(after, [{ content: 'New after the cutover.', namespace: 'workspace:child' }]);
      const { body: moved } = await administer(after, { path: exportPath });
      await after.close();
      expect(await countRows()).toBe(rowCount);

      const back = await start();
      expect((await readAll(back)).length).toBe(rowCount);
      // The origin that the backfill or an import recorded leads each memory back to its original row.
      expect((await bringIn(back, moved)).body).toEqual({ imported: 1, skipped: 4, errors: 0, total: 5 });
      await back.close();
    });
  });

  it('reports an unreachable legacy store without revealing its address', async () => {
    const database = await createTestDatabase('embedded');
    const running = await startTestServer(database, {
      legacyDatabaseUrl: 'postgres://user:hunter2@127.0.0.1:1/old',
      memoryPluginTenant: 't1',
    });
    const answer = await administer(running, { path: exportPath });
    expectProblem(answer, 'UNAVAILABLE');
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|127\.0\.0\.1|\/old/);
    await running.close();
    await database.remove();
  });

  describeOneDatabase('with a third-party plugin', (database) => {
    const connect = useMcpClients();

    it('exports readable memories, names truncated namespaces, serves one tenant', { timeout: 60_000 }, async () => {
      const plugin = await startSimplePlugin();
      const settings = { cutover: 'true', memoryPluginUrl: plugin.url, memoryPluginTenant: 't1' };
      const server = await startTestServer(database(), { ...settings, legacyDatabaseUrl: legacy().url });
      const entries = [
        ...Array.from({ length: 104 }, (_, number) => ({
          content: `Fact ${number}.`,
          workspace_id: 'child',
          scope: 'TEAM',
        })),
        { content: `Secret ${secret}`, namespace: 'workspace:other' },
      ];
      expect((await bringIn(server, entries)).body).toEqual({ imported: 105, skipped: 0, errors: 0, total: 105 });
      const kept = [...plugin.memories.values()];
      expect(kept.filter(({ namespace }) => namespace === 'team:root')).toHaveLength(104);
      expect(kept.filter(({ namespace }) => namespace === 'workspace:other')).toMatchObject([
        { content: 'Secret [REDACTED:GITHUB_PAT]' },
      ]);
      for (const memory of ofEachKind(99, 'workspace:root')) plugin.memories.set(memory.id, memory);
      for (const memory of ofEachKind(103, 'org:root')) plugin.memories.set(memory.id, memory);
      const readable = 100 + 1 + 3 * 99 + 3 * 100;
      const { body } = await administer(server, { path: exportPath });
      expect(new Set(body.memories.map(({ id }: { id: string }) => id)).size).toBe(readable);
      expect(body.memories).toHaveLength(readable);
      expect(body.truncated_namespaces).toEqual(['team:root', 'org:root']);
      expect(await readAll(server, 90)).toHaveLength(readable);
      const token = await server.token({ tenant: 't2', roles: ['admin'] });
      expectProblem(await server.call({ path: exportPath, token }), 'FORBIDDEN');
      const records = await pastEverything<{ record: string }>(
        database(),
        `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = ''`,
      );
      expect(records.filter(({ record }) => JSON.parse(record).operation === 'memories.import')).toHaveLength(105);
      await plugin.close();
      expectProblem(await bringIn(server, entries.slice(0, 1)), 'UNAVAILABLE');
      await server.close();
    });

    it('imports into a plugin that rejects queries', async () => {
      const plugin = await startSimplePlugin({ capabilities: [] });
      const settings = { cutover: 'true', memoryPluginUrl: plugin.url, memoryPluginTenant: 't1' };
      const server = await startTestServer(database(), settings);
      const entries = [{ content: 'The lamp is green.', namespace: 'custom:lamps' }];
      expect((await bringIn(server, entries)).body).toEqual({ imported: 1, skipped: 0, errors: 0, total: 1 });
      expect((await bringIn(server, entries)).body).toEqual({ imported: 0, skipped: 1, errors: 0, total: 1 });
      await server.close();
      await plugin.close();
    });

    it('exports the namespaces that the host has used', { timeout: 60_000 }, async () => {
      const plugin = await startSimplePlugin();
      const settings = { cutover: 'true', memoryPluginUrl: plugin.url, memoryPluginTenant: 't1' };
      const own = await createTestDatabase(database().kind);
      const first = await startTestServer(own, settings);
      expectProblem(await administer(first, { path: exportPath }), 'INVALID_REQUEST');
      const agent = async (server: TestServer, workspace: string) =>
        connect(server.url, await server.token({ user: 'ada', claims: { workspace_id: workspace, team_id: 'red' } }));
      const ada = await agent(first, 'lab');
      const commits = ['One.', 'Two.', 'Three.'].map((content) => ada.call('commit_memory', { content }));
      await Promise.all([...commits, ada.call('commit_memory', { content: 'Four.', namespace: 'team:red' })]);
      await bringIn(first, [{ content: 'Five.', namespace: 'custom:notes' }]);
      // These were there before the host remembered anything.
      const old = {
        id: randomUUID(),
        content: 'Six.',
        kind: 'fact',
        source: 'agent',
        created_at: '2026-01-01T00:00:00Z',
      };
      plugin.memories.set(old.id, { ...old, namespace: 'workspace:attic' });
      const contents = async (server: TestServer, limit?: number) =>
        (await readAll(server, limit)).map(({ content }: { content?: string }) => content).sort();
      expect(await contents(first)).toEqual(['Five.', 'Four.', 'One.', 'Three.', 'Two.']);
      await (await agent(first, 'attic')).call('search_memory');
      await first.close();

      // The names outlive the process, and those of workspaces of the older store are not exported twice.
      await legacy().client.query(`INSERT INTO workspaces (id) VALUES ('lab') ON CONFLICT DO NOTHING`);
      for (const legacyDatabaseUrl of [undefined, legacy().url]) {
        const again = await startTestServer(
          own,
          legacyDatabaseUrl === undefined ? settings : { ...settings, legacyDatabaseUrl },
        );
        expect(await contents(again)).toEqual(['Five.', 'Four.', 'One.', 'Six.', 'Three.', 'Two.']);
        expect(await contents(again, 2)).toEqual(['Five.', 'Four.', 'One.', 'Six.', 'Three.', 'Two.']);
        const cursor = Buffer.from(JSON.stringify(['elsewhere', '0'])).toString('base64url');
        expectProblem(await administer(again, { path: `${exportPath}?limit=1&cursor=${cursor}` }), 'INVALID_REQUEST');
        await again.close();
      }
      await legacy().client.query(`DELETE FROM workspaces WHERE id = 'lab'`);
      await plugin.close();
      await own.remove();
    });
  });
});
