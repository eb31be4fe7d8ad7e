import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { runCommand } from './support/command.js';
import { useLegacyStore } from './support/legacy-store.js';

describe('memhall backfill, used wrongly', () => {
  it.each([
    [[], 'Choose one of --dry-run, --apply and --verify.'],
    [['-apply', '-verify'], 'Choose one of --dry-run, --apply and --verify.'],
    [['--apply', '--limit', '0'], 'whole number from 1 on'],
    [['--apply', '-now'], "unknown option '--now'"],
    [['--dry-run'], 'MEMORY_LEGACY_DATABASE_URL, else DATABASE_URL'],
  ])('says what to do when given %j', async (args, message) => {
    const { code, stderr, stdout } = await runCommand(['backfill', ...args]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it('has a program of its own', () => {
    const program = fileURLToPath(new URL('../bin/memory-backfill.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [program, '-dry-run', '-apply'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'memhall: Choose one of --dry-run, --apply and --verify.\n']);
  });
});

describe.runIf(inject('postgresUrl') !== null)('memhall backfill, where something is missing', () => {
  const half = useLegacyStore('', 'CREATE TABLE agent_memories (id uuid, workspace_id text, scope text)');
  const workspaceless = useLegacyStore(
    '',
    'CREATE TABLE agent_memories (id uuid, workspace_id text, scope text, content text)',
  );

  it('names the table or column', async () => {
    const dryRun = (url: string) => runCommand(['backfill', '--dry-run'], { MEMORY_LEGACY_DATABASE_URL: url });
    expect((await dryRun(inject('postgresUrl') ?? '')).stderr).toContain('has no table agent_memories');
    expect((await dryRun(half().url)).stderr).toContain('agent_memories of the old database has no column content');
    expect((await dryRun(workspaceless().url)).stderr).toContain('has no table workspaces');
  });

  it('asks for a target that can be one', async () => {
    const apply = (target: string) =>
      runCommand(['backfill', '--apply'], { DATABASE_URL: half().url, MEMORY_PLUGIN_URL: target });
    expect((await apply('')).stderr).toContain('MEMORY_PLUGIN_URL, such as http://127.0.0.1:9100');
  });
});
