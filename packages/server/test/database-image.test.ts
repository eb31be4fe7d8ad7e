import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { readConfig } from '../src/config/read-config.js';
import { unpackImage } from '../src/store/database-image.js';
import { describeSchema } from '../src/store/describe-schema.js';

const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

/** Everything that a migrated database contains, without the times at which it was made. */
async function describeContent(pool: Pool) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('memhall', 'memhall_queue') AND table_type = 'BASE TABLE' ORDER BY name`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT (to_jsonb(t) - '{applied_at,created_on,updated_on,maintained_on,cron_on,monitored_on}'::text[])::text AS row FROM ${name} t ORDER BY row`,
    );
    content[name] = rows.map(({ row }) => row);
  }
  const { rows: settings } = await pool.query(
    `SELECT attrelid::regclass::text AS of, attname, attstattarget FROM pg_attribute
     JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'memhall'::regnamespace AND attnum > 0 ORDER BY 1, 2`,
  );
  const { rows: roles } = await pool.query(`SELECT rolname, rolsuper, rolbypassrls FROM pg_roles ORDER BY 1`);
  const { rows: extensions } = await pool.query('SELECT extname, extversion FROM pg_extension ORDER BY 1');
  return { schema: await describeSchema(pool), content, settings, roles, extensions };
}

describe('the image of a migrated database', () => {
  const directories: string[] = [];
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  function newDirectory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-image-'));
    directories.push(directory);
    return directory;
  }

  async function openedIn(dataDirectory: string) {
    const applied: unknown[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => applied.push(...(JSON.parse(line).applied ?? [])) });
    const database = await openDatabase(readConfig({ dataDirectory }, {}), logger);
    const described = await describeContent(database.pool);
    await database.close();
    return { applied, described };
  }

  it('holds the committed schema, and nothing else', async () => {
    expect(await unpackImage(newDirectory()), 'npm run build makes the image').toBe(true);
    const { applied, described } = await openedIn(newDirectory());
    expect(applied).toEqual([]);
    const committed = readFileSync(new URL('../migrations/schema.txt', import.meta.url), 'utf8');
    expect(described.schema).toBe(committed);
    const filled = Object.keys(described.content).filter((table) => described.content[table]?.length !== 0);
    expect(filled.filter((table) => table.startsWith('memhall.'))).toEqual(['memhall.migrations']);
  });

  // To create a database takes ten seconds of a processor, which the image is there to save.
  it.runIf(isLong)('equals a database that was just created and migrated', async () => {
    const fromImage = await openedIn(newDirectory());
    const empty = newDirectory();
    mkdirSync(join(empty, 'postgres'));
    await (await PGlite.create({ dataDir: join(empty, 'postgres'), extensions: { vector } })).close();
    const migrated = await openedIn(empty);
    expect(fromImage.applied).toEqual([]);
    expect(migrated.applied).not.toEqual([]);
    expect(fromImage.described).toEqual(migrated.described);
  });

  it('was shut down, so that opening it recovers nothing, and only its owner can read it', async () => {
    const directory = newDirectory();
    await unpackImage(directory);
    const stateOffset = 16;
    const shutDown = 1;
    expect(readFileSync(join(directory, 'global/pg_control')).readUInt32LE(stateOffset)).toBe(shutDown);
    const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(paths.filter((path) => (statSync(join(directory, path)).mode & 0o077) !== 0)).toEqual([]);
  });
});
