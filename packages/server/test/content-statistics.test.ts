import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { contentColumns, withholdStatistics } from '../src/store/content-statistics.js';
import { connectDirectly, createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { giveDatabase } from './support/give-database.js';
import { pastEverything } from './support/past-everything.js';
import { plantText } from './support/plant-row.js';

/** Columns of which the database keeps samples, though they are texts. A new one needs a reason why it is no content. */
const samples: Readonly<Record<string, string>> = {
  tenant_id: 'an id',
  user_id: 'an id; what stays of it is documented',
  partition: 'the id of a user or the name of a namespace',
  namespace: 'a name',
  kind: 'one of a few words',
  status: 'one of a few words',
  at: 'a time',
  embedding_model: 'the name of a model',
};
const silent = pino({ level: 'silent' });
/** Bookkeeping of the migrations, and a table with one row. */
const unplantable = ['migrations', 'outer_store'];
const plainTypes = ['bigint', 'boolean', 'double precision', 'integer', 'real', 'smallint', 'timestamp with time zone'];
const wordHashes = ['memory_postings.term', 'memory_terms.term'];

interface Column extends Record<string, unknown> {
  table: string;
  name: string;
  type: string;
  is_sampled: boolean;
}

const everyColumn = `
  SELECT relname::text AS "table", attname::text AS name, format_type(atttypid, NULL) AS type,
    coalesce(attstattarget, -1) <> 0 AS is_sampled
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
  ORDER BY relname, attnum`;

/** Returns the samples that contain a text: relation, number of the column, values. */
async function samplesWith(pool: Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ said: string }>(
    `SELECT starelid::regclass || '.' || staattnum || ': ' || concat_ws(' ', stavalues1::text, stavalues2::text,
       stavalues3::text, stavalues4::text, stavalues5::text) AS said
     FROM pg_statistic JOIN pg_class ON pg_class.oid = starelid
     WHERE relnamespace IN ('memhall'::regnamespace, 'memhall_queue'::regnamespace)`,
  );
  const hex = Buffer.from(text).toString('hex');
  return rows.map(({ said }) => said).filter((said) => said.includes(text) || said.includes(hex));
}

describeEachDatabase('statistics for the query planner', (database) => {
  it('are collected of columns that are known to hold no content, and of no others', async () => {
    const columns = await pastEverything<Column>(database(), everyColumn);
    expect(columns.length).toBeGreaterThan(200);
    const isPlain = ({ table, name, type }: Column) =>
      plainTypes.includes(type) ? !wordHashes.includes(`${table}.${name}`) : name in samples;
    const wrong = columns.filter((column) => column.is_sampled !== isPlain(column));
    expect(wrong.map(({ table, name }) => `${table}.${name}`)).toEqual([]);
  });

  it('hold no sentence, whichever column it is in', async () => {
    const opened = await openDatabase(database().config(), silent);
    const tables = new Set((await opened.pool.query<Column>(everyColumn)).rows.map(({ table }) => table));
    for (const table of tables) if (!unplantable.includes(table)) await plantText(opened.pool, table, 'zqsaid a lot');
    await opened.pool.query('ANALYZE');
    const [known, said] = [await samplesWith(opened.pool, 'user_id'), await samplesWith(opened.pool, 'zqsaid')];
    await opened.close();
    expect(known.length).toBeGreaterThan(20);
    expect(said).toEqual([]);
  });

  it('lose the sentences that an earlier version left there', async () => {
    const opened = await openDatabase(database().config(), silent);
    await plantText(opened.pool, 'sessions', 'zqearlier');
    await opened.pool.query(
      'ALTER TABLE memhall.sessions ALTER COLUMN name SET STATISTICS -1; ANALYZE memhall.sessions',
    );
    expect(await samplesWith(opened.pool, 'zqearlier')).toHaveLength(1);
    await opened.close();
    const again = await openDatabase(database().config(), silent);
    const said = await samplesWith(again.pool, 'zqearlier');
    await again.close();
    expect(said).toEqual([]);
  });
});

describe.runIf(inject('postgresUrl') !== null)('statistics in a database whose owner is not a superuser', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    await giveDatabase(database, 'steward');
    const direct = connectDirectly(database);
    for (const table of ['memories', 'artifacts', 'audit_records', 'namespaces', 'quarantine']) {
      await plantText(direct, table, 'zqearlier');
    }
    const content = await direct.query<{ change: string }>(
      `SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS -1', relation::regclass, name) AS change
       FROM (${contentColumns}) AS content WHERE relation_kind <> 'i'`,
    );
    for (const { change } of content.rows) await direct.query(change);
    await direct.query('ANALYZE');
    await direct.end();
  });
  afterAll(() => database.remove());

  it('lose all sentences that the owner can remove, and the others are named', async () => {
    const owner = connectDirectly(database, 'steward');
    const kept = await withholdStatistics(owner);
    expect(await withholdStatistics(owner)).toEqual([]);
    await owner.end();
    const direct = connectDirectly(database);
    const said = await samplesWith(direct, 'zqearlier');
    await direct.end();
    expect(kept.toSorted()).toEqual([
      'memhall.audit_records.record',
      'memhall.changes.note_owner',
      'memhall.memories.agent_id',
      'memhall.memory_versions.agent_id',
      'memhall.namespaces.name',
    ]);
    const found = said.map((line) => line.split(':')[0]).sort();
    expect(found).toEqual([
      'memhall.audit_records.4',
      expect.stringMatching(/^memhall\.memories\.\d+$/),
      'memhall.namespaces.2',
    ]);
  });
});
