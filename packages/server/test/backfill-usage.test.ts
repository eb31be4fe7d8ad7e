import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { runPreview } from '../src/composition/run-backfill.js';
import { readConfig } from '../src/config/read-config.js';
import { runCommand } from './support/command.js';
import { useLegacyStore } from './support/legacy-store.js';

describe('memhall backfill with wrong arguments', () => {
  it.each([
    [[], 'Give exactly one of --dry-run, --apply and --verify.'],
    [['-apply', '-verify'], 'Give exactly one of --dry-run, --apply and --verify.'],
    [['--apply', '--limit', '0'], 'whole number, 1 or greater'],
    [['--apply', '--accepted', 'x.json'], '--accepted can only be used with --verify.'],
    [['--verify', '--accepted', '/nowhere/x.json'], 'cannot be read'],
    [['--apply', '-now'], "unknown option '--now'"],
    [['--dry-run'], 'MEMORY_LEGACY_DATABASE_URL or DATABASE_URL'],
  ])('reports how to correct the arguments %j', async (args, message) => {
    const { code, stderr, stdout } = await runCommand(['backfill', ...args]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it.each([
    ['{', 'cannot be read'],
    ['{}', 'must be a JSON list'],
    ['[1]', 'has an entry 1 that is not an object'],
    ['[{"kind": "missing"}]', 'has an entry 1 that has no "id"'],
    ['[{"id": "a"}, {"id": "b", "kind": "lost"}]', 'has an entry 2 that has a "kind" other than missing, hidden'],
    ['[{"id": "a", "why": "x"}]', 'has an unknown member "why"'],
    ['[{"id": "a", "reason": 1}]', 'has a "reason" that is not a string'],
    ['[{"id": "a"}, {"id": "A"}]', 'has two entries for a'],
  ])('rejects the list of accepted rows %s', async (text, message) => {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-accepted-'));
    const file = join(directory, 'accepted.json');
    writeFileSync(file, text);
    const { code, stderr } = await runCommand(['backfill', '--verify', '--accepted', file]);
    rmSync(directory, { recursive: true });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('also runs as the separate program memory-backfill', () => {
    const program = fileURLToPath(new URL('../bin/memory-backfill.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [program, '-dry-run', '-apply'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'memhall: Give exactly one of --dry-run, --apply and --verify.\n']);
  });
});

describe.runIf(inject('postgresUrl') !== null)('memhall backfill with something missing', () => {
  const half = useLegacyStore('', 'CREATE TABLE agent_memories (id uuid, workspace_id text, scope text)');
  const workspaceless = useLegacyStore(
    '',
    'CREATE TABLE agent_memories (id uuid, workspace_id text, scope text, content text)',
  );

  it('names the missing table or column', async () => {
    const dryRun = (url: string) => runCommand(['backfill', '--dry-run'], { MEMORY_LEGACY_DATABASE_URL: url });
    expect((await dryRun(inject('postgresUrl') ?? '')).stderr).toContain('has no table agent_memories');
    expect((await dryRun(half().url)).stderr).toContain('agent_memories of the old database has no column content');
    expect((await dryRun(workspaceless().url)).stderr).toContain('has no table workspaces');
  });

  it('asks for a target if none is set', async () => {
    const apply = (target: string) =>
      runCommand(['backfill', '--apply'], { DATABASE_URL: half().url, MEMORY_PLUGIN_URL: target });
    expect((await apply('')).stderr).toContain('MEMORY_PLUGIN_URL, such as http://127.0.0.1:9100');
  });
});

describe.runIf(inject('postgresUrl') !== null)('memhall backfill of tables with other column types', () => {
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

  const preview = (store: { url: string }, workspaceId?: string) =>
    runPreview(readConfig({}, { MEMORY_LEGACY_DATABASE_URL: store.url }), pino({ level: 'silent' }), {
      filter: { workspaceId },
      signal: new AbortController().signal,
      onBatch: () => undefined,
      onFault: () => undefined,
    });

  it('maps every column type and needs neither labels nor dates', async () => {
    for (const [index, store] of stores.entries()) {
      const [root = '', child = ''] = index === 2 ? ['7', '8'] : [idOf(91), idOf(92)];
      const all = await preview(store());
      expect(all.counts).toEqual({ scanned: 3, copied: 0, skipped: 0, errors: 1 });
      expect(all.workspaces.get(child)?.namespaces).toEqual(
        new Map([
          [`org:${root}`, 1],
          [`team:${root}`, 1],
        ]),
      );
      expect((await preview(store(), child)).counts.scanned).toBe(2);
      expect((await preview(store(), 'x')).counts.scanned).toBe(0);
    }
  });
});
