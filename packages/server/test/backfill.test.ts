import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { send, useServer } from './support/server.js';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const secret = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;

const chain = Array.from({ length: 52 }, (_, at) => `('deep-${at}', ${at === 0 ? 'NULL' : `'deep-${at - 1}'`})`);
const rows = `
  INSERT INTO workspaces (id, parent_id) VALUES ('root', NULL), ('child', 'root'), ('grand', 'child'),
    ('loop-a', 'loop-b'), ('loop-b', 'loop-a'), ('orphan', 'nowhere'), ('bad id/x', NULL), ${chain.join(', ')};
  INSERT INTO agent_memories (id, workspace_id, content, scope, namespace, created_at) VALUES
    ('${idOf(1)}', 'grand', 'The kettle is in the kitchen.', 'LOCAL', 'general', '2024-05-06T07:08:09Z'),
    ('${idOf(2)}', 'grand', 'The team meets on Mondays.', 'TEAM', 'general', '2024-01-01'),
    ('${idOf(3)}', 'grand', 'The company was founded in Lisbon.', 'GLOBAL', 'facts', '2024-01-01'),
    ('${idOf(4)}', 'root', 'The roof team has no one above it.', 'TEAM', NULL, '2024-01-01'),
    ('${idOf(5)}', 'loop-a', 'Nobody knows the root of this.', 'GLOBAL', NULL, '2024-01-01'),
    ('${idOf(6)}', 'orphan', 'Its parent was deleted.', 'TEAM', NULL, '2024-01-01'),
    ('${idOf(7)}', 'orphan', 'Its root was deleted.', 'GLOBAL', NULL, '2024-01-01'),
    ('${idOf(8)}', 'orphan', 'It is still there itself.', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(9)}', 'bad id/x', 'No namespace has such a name.', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(10)}', 'root', 'Neither here nor there.', 'PLANET', NULL, '2024-01-01'),
    ('${idOf(11)}', 'root', E' \\n\\t ', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(12)}', 'root', NULL, 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(13)}', 'root', 'Deploy with ${secret} on Fridays.', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(14)}', 'root', repeat('far too long ', 200000), 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(15)}', 'root', repeat('long ', 50000), 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(16)}', 'deep-50', 'Fifty are above it.', 'GLOBAL', NULL, '2024-01-01'),
    ('${idOf(17)}', 'deep-51', 'One too many is above it.', 'GLOBAL', NULL, '2024-01-01'),
    ('${idOf(18)}', 'gone', 'Its workspace is gone.', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(19)}', 'gone', 'Its workspace is gone.', 'TEAM', NULL, '2024-01-01'),
    ('${idOf(20)}', 'loop-a', 'Its parent is known all the same.', 'TEAM', NULL, '2024-01-01'),
    ('${idOf(21)}', 'root', E'cafe\\u0301 au lait', 'LOCAL', NULL, '2024-01-01'),
    ('${idOf(22)}', NULL, 'Nobody has this.', 'LOCAL', NULL, '2024-01-01')`;

const faults: Record<number, string> = {
  5: 'belongs to a workspace that is its own ancestor',
  6: 'belongs to a workspace whose parent does not exist',
  7: 'belongs to a workspace with an ancestor whose parent does not exist',
  9: 'belongs to a workspace whose id cannot be part of a namespace',
  10: 'has a scope other than LOCAL, TEAM, GLOBAL',
  14: 'has 2600000 bytes, which is too large to be copied',
  17: 'belongs to a workspace with more than 50 ancestors',
  19: 'belongs to a workspace that does not exist',
  22: 'has no workspace',
};
/** These faults are only known after asking the target. */
const refused = { 15: 'was refused as invalid or too large' };
const faultLines = (all: Record<number, string>) =>
  Object.entries(all).map(([number, reason]) => `error: id=${idOf(Number(number))} ${reason}`);

describe.runIf(inject('postgresUrl') !== null)('memhall backfill', () => {
  describeOneDatabase('into the built-in plugin', (database) => {
    const legacy = useLegacyStore(rows);
    const server = useServer(database);
    const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-backfill-'));
    afterAll(() => rmSync(dataDirectory, { recursive: true }));

    const backfill = (args: string[], environment: Record<string, string> = {}) =>
      runCommand(['backfill', ...args], {
        MEMORY_LEGACY_DATABASE_URL: legacy().url,
        MEMORY_PLUGIN_URL: server().pluginUrl ?? '',
        MEMHALL_DATA: dataDirectory,
        ...environment,
      });
    const plugin = (method: string, path: string, body?: unknown) =>
      send(server().pluginUrl ?? '', { method, path, body });
    const search = async (namespace: string, query?: string) =>
      (await plugin('POST', '/v1/search', { namespaces: [namespace], query, limit: 100 })).body.memories;
    const tell = (stdout: string) =>
      stdout
        .split('\n')
        .filter((line) => /^(error|mismatch):/.test(line))
        .sort();

    it('counts and maps on a dry run, and writes nothing', async () => {
      // DATABASE_URL is the fallback, and a dry run needs no target.
      const { stdout, code } = await backfill(['-dry-run'], {
        MEMORY_LEGACY_DATABASE_URL: '',
        DATABASE_URL: legacy().url,
        MEMORY_PLUGIN_URL: '',
      });
      expect(stdout).toContain('\nworkspace=grand rows=3 workspace:grand=1 team:child=1 org:root=1\n');
      expect(stdout).toContain('\nworkspace=root rows=8 team:root=1 workspace:root=3\n');
      expect(stdout).toContain('\nRedacted: GITHUB_PAT=1\n');
      expect(stdout).not.toContain(secret);
      expect(stdout).toMatch(/\nBackfill complete: scanned=22 copied=0 skipped=2 errors=9\n$/);
      expect(tell(stdout)).toEqual(faultLines(faults).sort());
      expect(code).toBe(1);
      expect(await search('workspace:grand')).toEqual([]);
      expect((await plugin('PATCH', '/v1/namespaces/workspace%3Agrand', { metadata: {} })).status).toBe(404);
      expect(readdirSync(dataDirectory)).toEqual([]);
    });

    it('copies valid rows, reports the others, and copies nothing twice', async () => {
      await plugin('PUT', '/v1/namespaces/team%3Achild', { kind: 'team', metadata: { colour: 'green' } });
      for (let times = 0; times < 2; times++) {
        const { stdout, code } = await backfill(['--apply']);
        expect(stdout).toMatch(/\nBackfill complete: scanned=22 copied=10 skipped=2 errors=10\n$/);
        expect(tell(stdout)).toEqual(faultLines({ ...faults, ...refused }).sort());
        expect(code).toBe(1);
      }
      expect(await search('workspace:grand')).toEqual([
        {
          id: idOf(1),
          namespace: 'workspace:grand',
          content: 'The kettle is in the kitchen.',
          kind: 'fact',
          source: 'agent',
          propagation: {
            legacy: {
              workspace_id: 'grand',
              scope: 'LOCAL',
              namespace: 'general',
              created_at: '2024-05-06T07:08:09.000Z',
            },
          },
          created_at: '2024-05-06T07:08:09.000Z',
        },
      ]);
      const ids = async (namespace: string) => (await search(namespace)).map(({ id }: { id: string }) => id).sort();
      expect(await ids('team:child')).toEqual([idOf(2)]);
      expect(await ids('org:root')).toEqual([idOf(3)]);
      expect(await ids('team:root')).toEqual([idOf(4)]);
      expect(await ids('workspace:orphan')).toEqual([idOf(8)]);
      expect(await ids('org:deep-0')).toEqual([idOf(16)]);
      expect(await ids('workspace:gone')).toEqual([idOf(18)]);
      expect(await ids('team:loop-b')).toEqual([idOf(20)]);
      expect(await ids('workspace:root')).toEqual([idOf(13), idOf(21)]);
    });

    it('lists copies by the date they had in the older store, and corrects earlier copies', async () => {
      const write = { kind: 'fact', source: 'agent' };
      const path = '/v1/namespaces/workspace%3Agrand/memories';
      const { body: younger } = await plugin('POST', path, { ...write, content: 'Younger than the copy.' });
      const [copy] = await search('workspace:grand', 'kettle');
      // As a run before dates were kept left it.
      await plugin('DELETE', `/v1/memories/${idOf(1)}`, { requested_by_namespace: 'workspace:grand' });
      await plugin('POST', path, { ...write, id: idOf(1), content: copy.content });
      expect((await search('workspace:grand', 'kettle'))[0].created_at).not.toBe(copy.created_at);
      await backfill(['--apply', '--workspace', 'grand']);
      const listed = await search('workspace:grand');
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([younger.id, idOf(1)]);
      expect(listed[1].created_at).toBe('2024-05-06T07:08:09.000Z');
      await plugin('DELETE', `/v1/memories/${younger.id}`, { requested_by_namespace: 'workspace:grand' });
    });

    it('redacts secrets, normalises text and keeps existing namespace metadata', async () => {
      const [found] = await search('workspace:root', 'Fridays');
      expect(found.content).toBe('Deploy with [REDACTED:GITHUB_PAT] on Fridays.');
      expect((await search('workspace:root', 'lait'))[0].content).toBe('café au lait');
      const same = await plugin('PATCH', '/v1/namespaces/team%3Achild', { expires_at: null });
      expect(same.body.metadata).toEqual({ colour: 'green' });
    });

    it('finds every copy and reports rows without one', async () => {
      const { stdout, code } = await backfill(['-verify', '-verify-sample=100']);
      expect(stdout).toMatch(/^Verify complete: workspaces_sampled=8 matches=10 mismatches=1 errors=8$/m);
      // A row without a workspace is in no sample.
      const { 22: _nobodys, ...others } = faults;
      const missing = `mismatch: id=${idOf(15)} namespace=workspace:root is missing`;
      expect(tell(stdout)).toEqual([...faultLines(others), missing].sort());
      expect(code).toBe(1);
    });

    it('accepts listed differences and reports entries that do not apply', async () => {
      const file = join(dataDirectory, 'accepted.json');
      const verify = async (list: unknown) => {
        writeFileSync(file, JSON.stringify(list));
        return backfill(['--verify', '--verify-sample', '100', '--accepted', file]);
      };
      const known = Object.keys(faults)
        .filter((number) => number !== '22')
        .map((number) => ({ id: idOf(Number(number)), kind: 'error' }));
      const missing = { id: idOf(15).toUpperCase(), kind: 'missing', reason: 'too long for the plugin' };
      const { stdout, code } = await verify([...known, missing]);
      expect(stdout).toContain(`accepted: id=${idOf(15)} is missing (too long for the plugin)\n`);
      expect(stdout).toContain(`accepted: id=${idOf(5)} ${faults[5]}\n`);
      expect(stdout).toMatch(/^Verify complete: workspaces_sampled=8 matches=10 mismatches=0 errors=0 accepted=9\n$/m);
      expect(stdout).not.toMatch(/^(mismatch|error|stale):/m);
      expect(code).toBe(0);

      const another = [
        { ...missing, kind: 'different' },
        { id: idOf(1) },
        { id: idOf(11), kind: 'missing' },
        { id: idOf(99) },
        { id: 'not-a-uuid' },
        { id: idOf(22) },
      ];
      const rest = await verify([...known, ...another]);
      const stale = (id: string, reason: string) =>
        `stale: id=${id} ${reason}: remove it from the list of accepted rows`;
      expect(rest.stdout.split('\n').filter((line) => /^(stale|mismatch|error):/.test(line))).toEqual([
        `mismatch: id=${idOf(15)} namespace=workspace:root is missing`,
        stale(idOf(15).toUpperCase(), 'is accepted as different, but is missing'),
        stale(idOf(1), 'matches'),
        stale(idOf(11), 'is blank, and blank rows are not copied'),
        stale(idOf(99), 'is not in the older store'),
        stale('not-a-uuid', 'is not in the older store'),
      ]);
      expect(rest.stdout).toMatch(/mismatches=1 errors=0 accepted=8\n$/);
      expect(rest.code).toBe(1);
    });

    it('reports no mismatch for a fully copied workspace', async () => {
      const { stdout, code } = await backfill(['--verify', '--workspace', 'grand']);
      expect(stdout).toBe('Verify complete: workspaces_sampled=1 matches=3 mismatches=0 errors=0\n');
      expect(code).toBe(0);
      const some = await backfill(['--verify', '--workspace', 'grand', '--limit', '2']);
      expect(some.stdout).toBe('Verify complete: workspaces_sampled=1 matches=2 mismatches=0 errors=0\n');
    });

    it('copies only one workspace or a limited number of rows on request', async () => {
      const one = await backfill(['--apply', '--workspace', 'grand']);
      expect(one.stdout).toMatch(/^Backfill complete: scanned=3 copied=3 skipped=0 errors=0$/m);
      expect(one.code).toBe(0);
      const some = await backfill(['--apply', '--limit', '4']);
      expect(some.stdout).toMatch(/^Backfill complete: scanned=4 copied=4 skipped=0 errors=0$/m);
      const none = await backfill(['--apply', '--workspace', 'not-there']);
      expect(none.stdout).toMatch(/^Backfill complete: scanned=0 copied=0 skipped=0 errors=0$/m);
      expect(readdirSync(join(dataDirectory, 'backfill'))).toEqual([]);
    });
  });
});
