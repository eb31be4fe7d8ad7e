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

describe.runIf(inject('postgresUrl') !== null)('memhall backfill, of tables in other types', () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const insert = (one: string, two: string) => `
    INSERT INTO workspaces VALUES (${one}, NULL), (${two}, ${one});
    INSERT INTO agent_memories VALUES
      ('${idOf(1)}', ${two}, 'x', 'GLOBAL'), ('${idOf(2)}', NULL, 'x', 'TEAM'), ('${idOf(3)}', ${two}, 'x', 'TEAM')`;
  const tables = (memory: string, own: string, parent = own) => `
    CREATE TABLE workspaces (id ${own}, parent_id ${parent});
    CREATE TABLE agent_memories (id uuid, workspace_id ${memory}, content text, scope text)`;
  const stores = [
    useLegacyStore(insert(`'${idOf(91)}'`, `'${idOf(92)}'`), tables('uuid', 'uuid')),
    useLegacyStore(insert(`'${idOf(91)}'`, `'${idOf(92)}'`), tables('varchar', 'uuid', 'text')),
    useLegacyStore(insert('7', '8'), tables('bigint', 'integer')),
  ];

  it('maps them all the same, and needs neither labels nor dates', async () => {
    for (const [index, store] of stores.entries()) {
      const [root, child] = index === 2 ? ['7', '8'] : [idOf(91), idOf(92)];
      const { stdout } = await runCommand(['backfill', '--dry-run'], { DATABASE_URL: store().url });
      expect(stdout).toContain(`workspace=${child} rows=2 org:${root}=1 team:${root}=1\n`);
      expect(stdout).toContain(`error: id=${idOf(2)} has no workspace\n`);
      const one = await runCommand(['backfill', '--dry-run', '--workspace', child], { DATABASE_URL: store().url });
      expect(one.stdout).toMatch(/^Backfill complete: scanned=2 copied=0 skipped=0 errors=0$/m);
      const none = await runCommand(['backfill', '--dry-run', '--workspace', 'x'], { DATABASE_URL: store().url });
      expect(none.stdout).toMatch(/^Backfill complete: scanned=0 copied=0 skipped=0 errors=0$/m);
    }
  });
});
