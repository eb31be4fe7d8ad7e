import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluginSuite, runSuite, toHumanReport } from '@memhall/conformance';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { useMcpClients } from './support/mcp-client.js';
import { send, useServer } from './support/server.js';
import { useVectorPlugin } from './support/vector-plugin.js';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** More than a search returns. */
const equals = 120;

const rows = `
  INSERT INTO workspaces (id, parent_id) VALUES ('acme', NULL), ('kitchen', 'acme');
  INSERT INTO agent_memories (id, workspace_id, content, scope, created_at) VALUES
    ('${idOf(1)}', 'kitchen', 'The kettle must be descaled every month.', 'LOCAL', '2024-05-06T07:08:09Z'),
    ('${idOf(2)}', 'kitchen', 'Invoices are paid on Fridays.', 'TEAM', '2024-01-01'),
    ('${idOf(3)}', 'kitchen', 'The company was founded in Lisbon.', 'GLOBAL', '2024-01-01'),
    ('${idOf(4)}', 'kitchen', '?!? …', 'LOCAL', '2024-01-01'),
    ('${idOf(5)}', 'kitchen', repeat('A long story. ', 3000), 'LOCAL', '2024-01-01');
  INSERT INTO agent_memories (id, workspace_id, content, scope)
  SELECT md5(n::text)::uuid, 'kitchen', 'Water the plants.', 'LOCAL' FROM generate_series(1, ${equals}) AS n`;
const rowCount = equals + 5;

describe.runIf(inject('postgresUrl') !== null)('the example plugin on pgvector', () => {
  describeOneDatabase('by itself', () => {
    const legacy = useLegacyStore();
    const pluginUrl = useVectorPlugin(() => legacy().url);

    it('passes the conformance suite', { timeout: 120_000 }, async () => {
      const report = await runSuite(pluginSuite, { url: pluginUrl(), timeoutMs: 60_000 });
      expect(report.isPassed, toHumanReport(report)).toBe(true);
      expect(report.capabilities).toEqual(['embedding', 'ttl', 'pin', 'propagation']);
      expect(report.counts.warned).toBe(0);
      expect(report.leftBehind).toEqual([]);
    });
  });

  describeOneDatabase('replaces the built-in plugin', (database) => {
    const legacy = useLegacyStore(rows);
    const pluginUrl = useVectorPlugin(() => legacy().url);
    const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-backfill-'));
    afterAll(() => rmSync(dataDirectory, { recursive: true }));
    const backfill = (args: string[], environment: Record<string, string> = {}) =>
      runCommand(['backfill', ...args], {
        MEMORY_LEGACY_DATABASE_URL: legacy().url,
        MEMORY_PLUGIN_URL: pluginUrl(),
        MEMHALL_DATA: dataDirectory,
        MEMHALL_EMBEDDER: 'local',
        ...environment,
      });
    const server = useServer(database, () => ({
      ...{ memoryPluginUrl: pluginUrl(), memoryPluginTenant: 't1', embedder: 'local' },
      ...{ legacyDatabaseUrl: legacy().url, cutover: 'true' },
    }));
    const connect = useMcpClients();

    it('after a dry run, a copy and a verification', { timeout: 120_000 }, async () => {
      const preview = await backfill(['--dry-run']);
      expect(preview.stdout).toContain(`workspace=kitchen rows=${rowCount} workspace:kitchen=${rowCount - 2}`);
      const copied = await backfill(['--apply']);
      expect(copied.stderr).toBe('');
      expect(copied.stdout).toMatch(/^Backfill complete: scanned=125 copied=125 skipped=0 errors=0$/m);
      const verified = await backfill(['--verify']);
      expect(verified.stdout).toBe('Verify complete: workspaces_sampled=1 matches=125 mismatches=0 errors=0\n');
      expect([preview.code, copied.code, verified.code]).toEqual([0, 0, 0]);
    });

    it('and still finds one missing copy among equal ones', { timeout: 120_000 }, async () => {
      const { rows } = await legacy().client.query<{ id: string }>(`SELECT md5('77')::uuid::text AS id`);
      const id = rows[0]?.id ?? '';
      const body = { requested_by_namespace: 'workspace:kitchen' };
      expect((await send(pluginUrl(), { method: 'DELETE', path: `/v1/memories/${id}`, body })).status).toBe(204);
      const { stdout, code } = await backfill(['--verify']);
      expect(stdout).toContain(`mismatch: id=${id} namespace=workspace:kitchen was not found`);
      expect(stdout).toMatch(/^Verify complete: workspaces_sampled=1 matches=124 mismatches=1 errors=0$/m);
      expect(code).toBe(1);
      expect((await backfill(['--apply'])).code).toBe(0);
    });

    it('for agents, which find the copies by meaning', async () => {
      const user = await connect(server().url, await server().token({ claims: { workspace_id: 'kitchen' } }));
      const { memories } = await user.call('search_memory', {
        query: 'How do I look after the water boiler?',
        limit: 1,
      });
      expect(memories).toMatchObject([
        { memory_id: `plugin:${idOf(1)}`, namespace: 'workspace:kitchen', created_at: '2024-05-06T07:08:09.000Z' },
      ]);
      const { memory_id: id } = await user.call('commit_memory', { content: 'The oven needs ten minutes to heat up.' });
      const found = await user.call('search_memory', { query: 'How long must I preheat the stove?', limit: 1 });
      expect(found.memories).toMatchObject([{ memory_id: id }]);
    });

    it('for administrators, who export and import', async () => {
      const token = await server().token({ roles: ['admin'] });
      const path = '/admin/memories';
      const { body } = await server().call({ path: `${path}/export?namespace=team:acme`, token });
      expect(body).toMatchObject({ memories: [{ id: idOf(2), content: 'Invoices are paid on Fridays.' }] });
      const entry = { id: idOf(6), content: 'The fridge is from 2019.', namespace: 'team:acme' };
      const bringIn = async () =>
        (await server().call({ method: 'POST', path: `${path}/import`, body: [entry], token })).body;
      expect(await bringIn()).toMatchObject({ errors: 0, total: 1 });
      expect(await bringIn()).toEqual({ imported: 0, skipped: 1, errors: 0, total: 1 });
      const user = await connect(server().url, await server().token({ claims: { team_id: 'acme' } }));
      const { memories } = await user.call('search_memory', { query: 'How old is the refrigerator?', limit: 1 });
      expect(memories).toMatchObject([{ memory_id: `plugin:${idOf(6)}` }]);
    });

    it('only with an embedder', async () => {
      const { code, stderr } = await backfill(['--apply'], { MEMHALL_EMBEDDER: 'none' });
      expect([code, stderr]).toEqual([1, expect.stringContaining('finds memories only by vectors')]);
    });
  });
});
