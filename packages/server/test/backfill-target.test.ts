import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { program, runCommand } from './support/command.js';
import { useLegacyStore } from './support/legacy-store.js';
import { type SimplePlugin, startSimplePlugin } from './support/simple-plugin.js';

const poison = '00000000-0000-4000-8000-000000000000';

/** 300 rows that differ only in a number. */
const rows = `
  INSERT INTO workspaces (id) VALUES ('ws');
  INSERT INTO agent_memories (id, workspace_id, content, scope)
  SELECT CASE n WHEN 1 THEN '${poison}' ELSE md5(n::text)::uuid END, 'ws', 'The reading of the meter in the cellar is ' || (n + 1000), 'LOCAL'
  FROM generate_series(1, 300) AS n`;

/** Two texts that occur more often than a search returns results; one of them has no word that a plugin would index. */
const equalRows = `
  INSERT INTO workspaces (id) VALUES ('plants'), ('signs'), ('hidden');
  INSERT INTO agent_memories (id, workspace_id, content, scope)
  SELECT md5('p' || n)::uuid, 'plants', 'Water the plants.', 'LOCAL' FROM generate_series(1, 130) AS n UNION ALL
  SELECT md5('s' || n)::uuid, 'signs', '?!?', 'LOCAL' FROM generate_series(1, 130) AS n UNION ALL
  SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'hidden', CASE n WHEN 1 THEN '…' ELSE 'Reading ' || n + 1000 END, 'LOCAL'
  FROM generate_series(1, 300) AS n`;

describe.runIf(inject('postgresUrl') !== null)(
  'memhall backfill of equal rows into a plugin that matches words',
  () => {
    const legacy = useLegacyStore(equalRows);
    const directory = mkdtempSync(join(tmpdir(), 'memhall-backfill-'));
    afterAll(() => rmSync(directory, { recursive: true }));

    it('verifies them, however many there are, and still finds that one of few is missing', async () => {
      const plugin = await startSimplePlugin();
      const environment = {
        MEMORY_LEGACY_DATABASE_URL: legacy().url,
        MEMORY_PLUGIN_URL: plugin.url,
        MEMHALL_DATA: directory,
      };
      const backfill = (...args: string[]) => runCommand(['backfill', ...args], environment);
      await backfill('--apply');
      for (const workspace of ['plants', 'signs']) {
        const { stdout, code } = await backfill('--verify', '--workspace', workspace);
        expect(stdout).toBe(
          'Not told apart: 30 rows, each with the same text as a hundred memories that were found.\n' +
            'Verify complete: workspaces_sampled=1 matches=130 mismatches=0 errors=0\n',
        );
        expect(code).toBe(0);
      }
      const hidden = await backfill('--verify', '--workspace', 'hidden');
      expect(hidden.stdout).toMatch(
        /^mismatch: id=\S+01 namespace=workspace:hidden was not found: every search was full/,
      );
      expect(hidden.stdout).toMatch(/^Verify complete: workspaces_sampled=1 matches=299 mismatches=1 errors=0$/m);
      const gone = [...plugin.memories.values()].filter(({ content }) => content === 'Water the plants.').slice(0, 31);
      for (const { id } of gone) plugin.memories.delete(id);
      const fewer = await backfill('--verify', '--workspace', 'plants');
      expect(fewer.stdout).toMatch(/^Verify complete: workspaces_sampled=1 matches=99 mismatches=31 errors=0$/m);
      expect(fewer.code).toBe(1);
      await plugin.close();
    });
  },
);

describe.runIf(inject('postgresUrl') !== null)('memhall backfill into a third-party plugin', () => {
  const legacy = useLegacyStore(rows);
  const directory = mkdtempSync(join(tmpdir(), 'memhall-backfill-'));
  let plugin: SimplePlugin;
  beforeEach(async () => {
    plugin = await startSimplePlugin();
  });
  afterEach(() => plugin.close());
  afterAll(() => rmSync(directory, { recursive: true }));

  const environment = (url = plugin.url) => ({
    MEMORY_LEGACY_DATABASE_URL: legacy().url,
    MEMORY_PLUGIN_URL: url,
    MEMHALL_DATA: directory,
  });
  const backfill = (args: string[], url?: string) => runCommand(['backfill', ...args], environment(url));

  it('finds each row among many similar ones', async () => {
    expect((await backfill(['--apply'])).stdout).toMatch(
      /^Backfill complete: scanned=300 copied=300 skipped=0 errors=0$/m,
    );
    expect(plugin.memories.size).toBe(300);
    plugin.writes.length = 0;
    const { stdout } = await backfill(['--verify']);
    expect(stdout).toBe('Verify complete: workspaces_sampled=1 matches=300 mismatches=0 errors=0\n');
    expect(plugin.writes).toEqual([]);
  });

  it('verifies the copies in a plugin that rejects queries, as far as it lists them', async () => {
    const own = await startSimplePlugin({ capabilities: [] });
    await backfill(['--apply', '--limit', '100', '--restart'], own.url);
    const { stdout } = await backfill(['--verify', '--limit', '99'], own.url);
    expect(stdout).toBe('Verify complete: workspaces_sampled=1 matches=99 mismatches=0 errors=0\n');
    await own.close();
  });

  it('never puts a namespace that exists, even if the report that it was missing arrives late', async () => {
    let stored = () => {};
    const firstStored = new Promise<void>((done) => {
      stored = done;
    });
    let held = false;
    plugin.hold = (_request, status) => {
      if (status === 201) stored();
      if (status !== 404 || held) return undefined;
      held = true;
      return firstStored;
    };
    expect((await backfill(['--apply', '--limit', '50'])).stdout).toMatch(
      /^Backfill complete: scanned=50 copied=50 skipped=0 errors=0$/m,
    );
    expect(held).toBe(true);
    const put = 'PUT /v1/namespaces/workspace:ws 200';
    expect(plugin.writes.lastIndexOf(put)).toBeLessThan(plugin.writes.findIndex((write) => write.endsWith(' 201')));
    expect(plugin.writes).toContain(put);
  });

  it('reaches the plugin on a Unix socket', async () => {
    const own = await startSimplePlugin({ socket: join(directory, 'plugin.sock') });
    const { stdout } = await backfill(['--apply', '--limit', '3'], own.url);
    expect(stdout).toMatch(/^Backfill complete: scanned=3 copied=3 skipped=0 errors=0$/m);
    expect(own.memories.size).toBe(3);
    await own.close();
  });

  it('retries requests that fail temporarily', async () => {
    const tried = new Set<string>();
    plugin.fault = ({ method, url }, body) => {
      const isFirst = tried.size < tried.add(`${method} ${url} ${body}`).size;
      return isFirst ? 503 : undefined;
    };
    const { stdout, code } = await backfill(['--apply', '--limit', '20']);
    expect(stdout).toMatch(/^Backfill complete: scanned=20 copied=20 skipped=0 errors=0$/m);
    expect(code).toBe(0);
  });

  it('gives up on a row that always fails, and on no other row', { timeout: 60_000 }, async () => {
    plugin.fault = (_request, body) => (body.includes(poison) ? 500 : undefined);
    const { stdout, code } = await backfill(['--apply', '--limit', '30']);
    expect(stdout).toContain(`error: id=${poison} makes the target fail\n`);
    expect(stdout).toMatch(/^Backfill complete: scanned=30 copied=29 skipped=0 errors=1$/m);
    expect(code).toBe(1);
  });

  it('stops when the target fails and resumes when it is back', {
    timeout: 60_000,
  }, async () => {
    let calls = 0;
    plugin.fault = () => (calls++ > 250 ? 503 : undefined);
    const stopped = await backfill(['--apply']);
    expect(stopped.stdout).toContain('The memory plugin stopped responding');
    expect(stopped.stdout).toMatch(/^Backfill interrupted: scanned=2\d\d copied=2\d\d skipped=0 errors=0$/m);
    expect(stopped.code).toBe(1);
    plugin.fault = undefined;
    const kept = new Map(plugin.memories);
    plugin.memories.clear();
    const restarted = await backfill(['--apply', '--restart', '--limit', '1']);
    expect(restarted.stdout).toMatch(/^Backfill complete: scanned=1 copied=1 skipped=0 errors=0$/m);
    for (const [id, memory] of kept) plugin.memories.set(id, memory);
    const resumed = await backfill(['--apply']);
    expect(resumed.stdout).toMatch(/^Continuing an interrupted run after 200 rows/);
    expect(resumed.stdout).toMatch(/^Backfill complete: scanned=300 copied=100 skipped=200 errors=0$/m);
  });

  it('prints its summary on Ctrl-C and starts over if the target was emptied since', async () => {
    const child = spawn(process.execPath, [program, 'backfill', '--apply'], {
      env: { ...process.env, ...environment() },
    });
    plugin.fault = () => {
      if (plugin.memories.size === 220) child.kill('SIGINT');
      return undefined;
    };
    const ended = new Promise((done) => child.once('close', done));
    let stdout = '';
    for await (const chunk of child.stdout) stdout += chunk;
    expect(stdout).toMatch(/Backfill interrupted: scanned=2\d\d copied=2\d\d skipped=0 errors=0\n$/);
    expect(await ended).toBe(130);
    plugin.fault = undefined;
    plugin.memories.clear();
    const { stdout: again } = await backfill(['--apply']);
    expect(again).toMatch(/^Backfill complete: scanned=300 copied=300 skipped=0 errors=0$/m);
  });
});
