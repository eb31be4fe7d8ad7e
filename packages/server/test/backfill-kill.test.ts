import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { program, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { send, useServer } from './support/server.js';

const [rowCount, workspaceCount] = process.env.MEMHALL_TEST_LONG === undefined ? [1000, 25] : [50_000, 500];

/** One workspace holds more than a tenth of all rows, far more than one search returns. */
const rows = `
  INSERT INTO workspaces (id) SELECT 'ws-' || n FROM generate_series(0, ${workspaceCount - 1}) AS n;
  INSERT INTO agent_memories (id, workspace_id, content, scope)
  SELECT md5(n::text)::uuid, 'ws-' || CASE WHEN n % 10 = 0 THEN 0 ELSE n % ${workspaceCount} END,
    'Note ' || n || ' about ' || (ARRAY['tea', 'rockets', 'music', 'maps'])[n % 4 + 1] || ' of ' || md5(n::text),
    'LOCAL'
  FROM generate_series(1, ${rowCount}) AS n`;

describe.runIf(inject('postgresUrl') !== null)(`a backfill of ${rowCount} rows`, () => {
  describeOneDatabase('into the built-in plugin', (database) => {
    const legacy = useLegacyStore(rows);
    const server = useServer(database);
    const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-backfill-'));
    afterAll(() => rmSync(dataDirectory, { recursive: true }));
    const environment = () => ({
      MEMORY_LEGACY_DATABASE_URL: legacy().url,
      MEMORY_PLUGIN_URL: server().pluginUrl ?? '',
      MEMHALL_DATA: dataDirectory,
    });
    const backfill = (...args: string[]) => runCommand(['backfill', ...args], environment());

    it('resumes after a kill and copies every row exactly once', {
      timeout: 600_000,
    }, async () => {
      const child = spawn(process.execPath, [program, 'backfill', '--apply'], {
        env: { ...process.env, ...environment() },
      });
      const ended = new Promise((done) => child.once('close', done));
      for await (const line of createInterface({ input: child.stdout })) {
        if (Number(/scanned=(\d+)/.exec(line)?.[1]) >= rowCount / 4) child.kill('SIGKILL');
      }
      await ended;
      const { stdout, code } = await backfill('--apply');
      expect(stdout).toMatch(/^Continuing an interrupted run after \d+ rows\.\n/);
      const [, copied, skipped] =
        /^Backfill complete: scanned=\d+ copied=(\d+) skipped=(\d+) errors=0$/m.exec(stdout) ?? [];
      expect(Number(copied) + Number(skipped)).toBe(rowCount);
      expect(Number(skipped)).toBeGreaterThanOrEqual(rowCount / 4);
      expect(code).toBe(0);
    });

    it('is verified row by row in a workspace of any size', { timeout: 600_000 }, async () => {
      const { stdout, code } = await backfill('--verify', '--workspace', 'ws-0');
      expect(stdout).toMatch(/^Verify complete: workspaces_sampled=1 matches=(\d+) mismatches=0 errors=0\n$/);
      expect(Number(/matches=(\d+)/.exec(stdout)?.[1])).toBeGreaterThan(100);
      expect(code).toBe(0);
    });

    it('reports one altered and one removed copy', { timeout: 600_000 }, async () => {
      const { rows: found } = await legacy().client.query<{ id: string }>(
        `SELECT id FROM agent_memories WHERE workspace_id = 'ws-0' ORDER BY random() LIMIT 2`,
      );
      const [altered = '', removed = ''] = found.map(({ id }) => id);
      const plugin = (method: string, path: string, body: unknown) =>
        send(server().pluginUrl ?? '', { method, path, body });
      const write = { id: altered, content: 'Something else.', kind: 'fact', source: 'agent' };
      await plugin('POST', '/v1/namespaces/workspace:ws-0/memories', write);
      await plugin('DELETE', `/v1/memories/${removed}`, { requested_by_namespace: 'workspace:ws-0' });
      const { stdout, code } = await backfill('--verify', '--workspace', 'ws-0');
      expect(stdout.split('\n').sort().slice(-3)).toEqual(
        [
          expect.stringMatching(/^Verify complete: workspaces_sampled=1 matches=\d+ mismatches=2 errors=0$/),
          `mismatch: id=${altered} namespace=workspace:ws-0 has different content`,
          `mismatch: id=${removed} namespace=workspace:ws-0 is missing`,
        ].sort(),
      );
      expect(code).toBe(1);
    });
  });
});
