import type { Pool } from 'pg';
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { startEngine } from '../src/composition/start-engine.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { etagOf } from '../src/engine/documents/governed-document.js';
import { rebuildDocument } from '../src/engine/documents/rebuild-document.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { getMemory } from '../src/engine/memories/get-memory.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { deleteNamespace, getNamespace, putNamespace } from '../src/engine/memories/namespaces.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember } from '../src/engine/memories/remember.js';
import { inWorkspace } from '../src/engine/tier-path.js';
import { readTier } from '../src/engine/tiers/read-tier.js';
import { recallTiers } from '../src/engine/tiers/recall-tiers.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import type { Partition } from '../src/ports/memories.js';
import { readMigrations } from '../src/store/migrations.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { useServer } from './support/server.js';

const note = { tier: 'AGENT', mode: 'append' } as const;

describeEachDatabase('a workspace and a user of the same name', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const alice = callerOf('alice');
  const workspace = inWorkspace(callerOf('bob'), 'alice');

  beforeAll(async () => {
    await remember(engine(), alice, { content: 'My private plan is to move to Oslo.', kind: 'fact' });
    await retainTier(engine(), workspace, { ...note, content: 'The plan of the team is to sail.' });
  });

  it('own different memories', async () => {
    const search = { text: 'plan', scope: { own: true }, limit: 10 };
    const [own, shared] = [await recall(engine(), alice, search), await recall(engine(), workspace, search)];
    expect(own.map(({ memory }) => memory.content)).toEqual(['My private plan is to move to Oslo.']);
    expect(shared.map(({ memory }) => memory.content)).toEqual(['The plan of the team is to sail.']);
  });

  it('are separated by the database, not only by the code', async () => {
    const partition: Partition = { kind: 'user', userId: 'alice' };
    const page = { before: undefined, limit: 10, now: new Date() };
    const list = (scope: { tenantId: string; userId: string; workspaceId?: string }, of: Partition) =>
      engine().store.read(scope, (tables) => tables.memories.list([of], {}, page));
    expect(await list({ tenantId: 't1', userId: workspace.userId }, partition)).toEqual([]);
    expect(await list({ tenantId: 't1', userId: 'alice' }, { kind: 'user', userId: workspace.userId })).toEqual([]);
  });

  it('lets a member read the memories of the workspace, and never change them', async () => {
    const member = { ...callerOf('bob'), workspaceId: 'alice' };
    const { items } = await engine()
      .store.read({ tenantId: 't1', userId: 'bob', workspaceId: 'alice' }, (tables) =>
        tables.memories.list(
          [{ kind: 'user', userId: workspace.userId }],
          {},
          { before: undefined, limit: 10, now: new Date() },
        ),
      )
      .then((items) => ({ items: items.map(({ memory }) => memory) }));
    expect(items.map(({ content }) => content)).toEqual(['The plan of the team is to sail.']);
    const [{ id } = { id: '' }] = items;
    expect(await getMemory(engine(), member, id)).toBeDefined();
    await expect(forgetMemories(engine(), member, [id])).rejects.toThrow();
    expect(await getMemory(engine(), member, id)).toBeDefined();
    expect((await listMemories(engine(), workspace, { scope: { own: true }, limit: 10 })).items).toHaveLength(1);
  });
});

describeEachDatabase('a transaction that may read the notes of one agent', (database) => {
  const running = useEngine(database);

  it('gets no others from the database', async () => {
    const { engine } = running();
    const workspace = inWorkspace(callerOf('bob'), 'harbour');
    for (const agentId of ['a1', 'a2']) {
      await retainTier(engine, workspace, { ...note, agentId, content: `Sailing, by ${agentId}.` });
    }
    const partition = { kind: 'user', userId: workspace.userId } as const;
    const list = async (noteOwners?: readonly string[]) => {
      const page = { before: undefined, limit: 10, now: new Date() };
      const scope = { tenantId: 't1', userId: 'bob', workspaceId: 'harbour', noteOwners };
      const found = await engine.store.read(scope, (tables) => tables.memories.list([partition], {}, page));
      return found.map(({ memory: { content } }) => content).sort();
    };
    expect(await list(['agent:a1'])).toEqual(['Sailing, by a1.']);
    expect(await list(['crew:c1'])).toEqual([]);
    expect(await list()).toHaveLength(2);
  });

  it('leaves the rows of others in what all readers of the workspace share', async () => {
    const { engine } = running();
    const search = { text: 'sailing', scope: { workspace: true }, limit: 10 };
    const member = { ...callerOf('bob'), workspaceId: 'harbour' };
    expect(await recall(engine, { ...member, noteOwners: ['agent:a2'] }, search)).toHaveLength(1);
    expect(await recall(engine, member, search)).toHaveLength(2);
  });
});

describeEachDatabase('a namespace that a transaction may read but not write', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const writer = callerOf('writer', 't1', ['team:a']);
  const reader = { ...writer, userId: 'reader', writableNamespaces: [] };
  const inNamespace = { kind: 'fact', visibility: { namespace: 'team:a' } } as const;

  it('is protected by the database against inserts, updates and deletes', async () => {
    await putNamespace(engine(), writer, { name: 'team:a', kind: 'team', expiresAt: null, metadata: null });
    const { memory } = await remember(engine(), writer, { ...inNamespace, content: 'The plan is set.' });
    const search = { text: 'plan', scope: { namespaces: ['team:a'] }, limit: 10 };
    expect(await recall(engine(), reader, search)).toHaveLength(1);
    await expect(remember(engine(), reader, { ...inNamespace, content: 'Another plan.' })).rejects.toThrow();
    await expect(forgetMemories(engine(), reader, [memory.id])).rejects.toThrow();
    await expect(deleteNamespace(engine(), reader, 'team:a')).rejects.toThrow();
    await expect(
      putNamespace(engine(), reader, { name: 'team:a', kind: 'changed', expiresAt: null, metadata: null }),
    ).rejects.toThrow();
    expect(await recall(engine(), writer, search)).toHaveLength(1);
    expect(await getNamespace(engine(), writer, 'team:a')).toMatchObject({ kind: 'team' });
  });
});

describeEachDatabase('notes of a workspace over HTTP', (database) => {
  const server = useServer(database);
  const retain = async (user: string, workspaceId: string, content: string, claims: Record<string, string> = {}) =>
    server().call({
      method: 'POST',
      path: '/v1/provider/retain',
      token: await server().token({ user, claims }),
      body: { workspace_id: workspaceId, tier: 'pins', mode: 'append', content },
    });
  const admin = () => server().token({ user: 'boss', roles: ['admin'] });
  const readPins = async (workspaceId: string) => {
    const call = { method: 'POST', path: '/v1/provider/read', token: await admin() } as const;
    return (await server().call({ ...call, body: { workspace_id: workspaceId, tier: 'pins' } })).body.content;
  };
  const forget = async (path: string) =>
    (await server().call({ method: 'DELETE', path: `/v1/tenants/t1/${path}/memory`, token: await admin() })).body;

  it('shows the audit records of a workspace to its members only', async () => {
    await retain('ann', 'harbour', 'The lock is closed.', { workspace_id: 'harbour' });
    const audit = async (claims: Record<string, string>) =>
      server().call({
        path: '/v1/tenants/t1/workspaces/harbour/audit',
        token: await server().token({ user: 'ann', claims }),
      });
    const { body } = await audit({ workspace_id: 'harbour' });
    expect(body.records).toMatchObject([{ operation: 'provider.retain', actor: { user_id: 'ann' } }]);
    expect((await audit({})).status).toBe(403);
    expect(
      (await server().call({ path: '/v1/tenants/t1/users/ann/audit', token: await server().token({ user: 'ann' }) }))
        .body.records,
    ).toEqual([]);
  });

  it('forgets a workspace that nobody else wrote to with its user, and proves it', async () => {
    await retain('cleo', 'cleo', 'Cleo likes tea.');
    const { counts, receipt } = await forget('users/cleo');
    expect(counts).toMatchObject({ documents: 1, memories: 1, versions: 1 });
    expect(await readPins('cleo')).toBe('');
    const checked = await server().call({ path: `/v1/tenants/t1/receipts/${receipt.id}`, token: await admin() });
    expect(checked.body).toMatchObject({ verified: true, remaining: { documents: 0 } });
  });

  it('keeps a workspace that others wrote to when the user of its name is forgotten', async () => {
    await retain('dora', 'dora', 'Dora was here.');
    await retain('emil', 'dora', 'Emil was here too.', { workspace_id: 'dora' });
    await forget('users/dora');
    expect(await readPins('dora')).toContain('Emil was here too.');
  });

  it('forgets a workspace by its id, and leaves the user of that name alone', async () => {
    const token = await server().token({ user: 'finn' });
    await server().call({ method: 'POST', path: '/v1/memory/semantic', token, body: { content: 'Finn sails.' } });
    await retain('finn', 'finn', 'Finn writes notes.');
    expect(await forget('workspaces/finn')).toMatchObject({ counts: { documents: 1 } });
    expect(await readPins('finn')).toBe('');
    const { body } = await server().call({ path: '/v1/memory/semantic', token });
    expect(body.entries).toHaveLength(1);
  });

  it('gives no access to the notes of the workspace named after a user whose token works in another', async () => {
    await retain('gina', 'gina', 'Gina writes notes.');
    const path = '/v1/tenants/t1/users/gina/documents/provider/workspace%2Fpins.md';
    const get = async (claims: Record<string, string>) =>
      server().call({ path, token: await server().token({ user: 'gina', claims }) });
    expect((await get({})).status).toBe(200);
    expect((await get({ workspace_id: 'harbour' })).status).toBe(403);
  });
});

describeEachDatabase('notes from before workspaces were owners', (database) => {
  it('belong to their workspace after the upgrade, and begin with the state they had', async () => {
    const opened = await openDatabase(database().config(), pino({ level: 'silent' }));
    const before = (await readMigrations()).filter(({ version }) => version < 19);
    await opened.pool.query('DROP SCHEMA memhall CASCADE; CREATE SCHEMA memhall');
    for (const { sql } of before) await opened.pool.query(sql);
    await writeOldRows(opened.pool, before);
    await opened.close();

    const { engine, close } = await startEngine(database().config(), pino({ level: 'silent' }));
    const workspace = inWorkspace(callerOf('bob'), 'alice');
    expect(await readTier(engine, workspace, { tier: 'AGENT' })).toMatchObject({ text: 'Answers briefly.' });
    const place = { namespace: 'provider', path: 'workspace/AGENT.md' };
    expect(await rebuildDocument(engine.store, { tenantId: 't1', userId: workspace.userId }, place)).toMatchObject({
      fault: undefined,
    });
    await retainTier(engine, workspace, { ...note, content: 'Likes lists.' });
    expect((await recallTiers(engine, workspace, { query: 'briefly', limit: 5 })).hits).toHaveLength(1);
    expect((await documentHistory(engine, workspace, { ...place, limit: 5 })).items).toHaveLength(1);
    const own = await listMemories(engine, callerOf('alice'), { scope: { own: true }, limit: 10 });
    expect(own.items.map(({ content }) => content)).toEqual(['Alice lives in Bergen.']);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
    await close();
  });
});

/** One note, its search entry, its quarantined text and one ordinary memory, all of the owner `alice`. */
async function writeOldRows(
  pool: Pool,
  applied: readonly { version: number; name: string; checksum: string; breaking: boolean }[],
) {
  await pool.query(`CREATE TABLE memhall.migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
    breaking boolean NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  for (const { version, name, checksum, breaking } of applied) {
    await pool.query('INSERT INTO memhall.migrations VALUES ($1, $2, $3, $4)', [version, name, checksum, breaking]);
  }
  const at = '2026-05-01T10:00:00.000Z';
  const body = {
    ...{ doc_id: 'provider/workspace/AGENT.md', schema_id: 'provider.tier', schema_version: '1.0.0' },
    ...{
      created_at: at,
      updated_at: at,
      updated_by: 'alice',
      content: { lines: ['Answers briefly.'], writers: ['alice'] },
    },
  };
  await pool.query(
    `INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at, created_at, updated_at)
     VALUES ('t1', 'alice', 'document', 'provider', 'workspace/AGENT.md', 3, $1, $2, 10, $3, $3, $3)`,
    [etagOf(3, body), JSON.stringify(body), at],
  );
  const memory = `INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, external_id, session_id, agent_id,
      metadata, occurred_at, created_at, updated_at, analysis, terms, term_count, traits)
    VALUES ('t1', $1, 'alice', $2, $3, $1, $4, $5, $6, '{"label":"AGENT.md","line":1}', $7, $7, $7, 'old', '', 0, 0)`;
  await pool.query(memory, [
    'm1',
    'tier',
    'Answers briefly.',
    'workspace/AGENT.md#0',
    'tier:workspace/AGENT.md',
    'workspace',
    at,
  ]);
  await pool.query(memory, ['m2', 'semantic', 'Alice lives in Bergen.', null, null, null, at]);
}
