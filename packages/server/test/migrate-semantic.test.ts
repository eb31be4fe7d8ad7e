import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { startEngine } from '../src/composition/start-engine.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';

const silent = pino({ level: 'silent' });

/** The table before it had users, content hashes and external ids. */
const oldTable = `
  CREATE TABLE semantic_memory (
    id uuid PRIMARY KEY, tenant_id text NOT NULL, content text NOT NULL, embedding vector(3), metadata jsonb,
    created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL);
  INSERT INTO semantic_memory VALUES
    ('00000000-0000-0000-0000-000000000001', 'acme', 'Docker runs containers.', '[1,2,3]', '{"v":1}', '2024-01-01', '2024-01-01'),
    ('00000000-0000-0000-0000-000000000002', 'acme', 'Docker runs containers.', '[1,2,3]', '{"v":2}', '2024-01-02', '2024-03-01'),
    ('00000000-0000-0000-0000-000000000003', 'acme', 'Docker runs containers.', '[1,2,3]', NULL, '2024-02-02', '2024-02-02'),
    ('00000000-0000-0000-0000-000000000004', 'acme', 'Tea is green.', NULL, '{}', '2024-01-03', '2024-01-03'),
    ('00000000-0000-0000-0000-000000000005', 'other', 'Docker runs containers.', NULL, '{}', '2024-01-03', '2024-01-03'),
    ('00000000-0000-0000-0000-000000000006', 'other', '   ', NULL, '{}', '2024-01-03', '2024-01-03')`;

describeOneDatabase('memhall migrate semantic', (database) => {
  beforeAll(async () => {
    const opened = await openDatabase(database().config(), silent);
    await opened.pool.query(oldTable);
    await opened.close();
  });

  const migrate = (...args: string[]) =>
    runCommand(['migrate', 'semantic', '--assign-user', 'heir', ...args, ...flagsOf(database())], {
      MEMHALL_EMBEDDER: 'none',
    });

  it('counts rows without writing in a dry run', async () => {
    const { stdout, stderr } = await migrate('--dry-run');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/Migration would be: rows=6 stored=3 duplicates=2 refused=1\n$/);
  });

  it('keeps the newest of duplicate rows with its id and creation time, and can run twice', async () => {
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await migrate();
      expect(stdout).toBe(
        'refused: id=00000000-0000-0000-0000-000000000006 content is blank\nMigration complete: rows=6 stored=3 duplicates=2 refused=1\n',
      );
      expect(code).toBe(1);
    }
    const { engine, close } = await startEngine(database().config(), silent);
    const heir = callerOf('heir', 'acme');
    const { items } = await listMemories(engine, heir, { scope: { own: true }, limit: 10 });
    expect(items.map(({ id, metadata }) => [id.slice(-1), metadata])).toEqual([
      ['4', {}],
      ['2', { v: 2 }],
    ]);
    expect(items[1]?.createdAt.toISOString()).toBe('2024-01-02T00:00:00.000Z');
    expect(items[1]?.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await recall(engine, heir, { text: 'container', scope: { own: true }, limit: 5 })).toHaveLength(1);
    expect(
      (await listMemories(engine, callerOf('heir', 'other'), { scope: { own: true }, limit: 10 })).items,
    ).toHaveLength(1);
    expect(
      (await listMemories(engine, callerOf('stranger', 'acme'), { scope: { own: true }, limit: 10 })).items,
    ).toEqual([]);
    await close();
  });

  it('reports an unusable source table', async () => {
    expect((await migrate('--table', 'nowhere')).stderr).toMatch(/There is no table nowhere/);
    expect((await migrate('--table', 'pg_class; drop table x')).stderr).toMatch(/is not the name of a table/);
    expect((await migrate('--table', 'memhall.tenants')).stderr).toMatch(/has no column id, content/);
  });
});
