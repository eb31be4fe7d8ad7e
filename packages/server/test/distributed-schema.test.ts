import { parsePlPgSQLSync } from 'libpg-query';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import type { Database } from '../src/store/database.js';
import { readCatalog } from './support/citus/read-catalog.js';
import { type Catalog, faultsOf } from './support/citus/statement-rules.js';
import { nodesIn } from './support/citus/tree.js';
import { describeEachDatabase } from './support/databases.js';

const catalog: Catalog = {
  distributed: new Set(['memories', 'facts', 'changes']),
  volatility: new Map([
    ['now', 's'],
    ['nextval', 'v'],
    ['clock_timestamp', 'v'],
    ['convert_to', 's'],
    ['lower', 'i'],
    ['count', 'i'],
    ['unnest', 'i'],
    ['set_config', 'v'],
    ['pg_advisory_xact_lock', 'v'],
  ]),
};
const ofTenant = { isAcrossTenants: false, isDistributed: true };

describe('the rules of a distributed database', () => {
  it.each([
    'SELECT id FROM memhall.memories WHERE tenant_id = $1 AND id = ANY ($2)',
    'SELECT m.id FROM memhall.memories AS m JOIN memhall.facts AS f ON f.tenant_id = m.tenant_id AND f.fact_id = m.id WHERE m.tenant_id = $1',
    'SELECT m.id FROM memhall.memories AS m JOIN memhall.facts AS f USING (tenant_id, user_id) WHERE f.tenant_id = $1',
    'SELECT 1 FROM memhall.memories AS m WHERE (m.tenant_id, m.id) = ($1, $2) AND NOT EXISTS (SELECT 1 FROM memhall.facts AS f WHERE f.tenant_id = m.tenant_id)',
    'WITH own AS (SELECT tenant_id, fact_id FROM memhall.facts WHERE tenant_id = $1) SELECT m.id FROM memhall.memories AS m JOIN own ON own.tenant_id = m.tenant_id',
    'INSERT INTO memhall.changes (tenant_id, id, at) VALUES ($1, $2, clock_timestamp())',
    'INSERT INTO memhall.changes (tenant_id, id) SELECT $1, f.fact_id FROM memhall.facts AS f WHERE f.tenant_id = $1',
    'INSERT INTO memhall.changes (tenant_id, id) SELECT m.tenant_id, m.id FROM memhall.memories AS m WHERE m.tenant_id = $1',
    'UPDATE memhall.memories AS m SET content = lower(f.text), updated_at = now() FROM memhall.facts AS f WHERE m.tenant_id = $1 AND f.tenant_id = $1',
    'WITH gone AS (DELETE FROM memhall.facts WHERE tenant_id = $1 RETURNING fact_id) DELETE FROM memhall.memories WHERE tenant_id = $1 AND id IN (SELECT fact_id FROM gone)',
    'SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key',
    'SELECT 1 FROM memhall.migrations',
  ])('accept %s', (text) => {
    expect(faultsOf(text, catalog, ofTenant)).toEqual([]);
  });

  it.each([
    ['SELECT id FROM memhall.memories WHERE id = $2', /memories/],
    ['SELECT id FROM memhall.memories WHERE tenant_id = $1 OR id = $2', /memories/],
    ['SELECT id FROM memhall.memories WHERE tenant_id <> $1', /memories/],
    [
      'SELECT m.id FROM memhall.memories AS m JOIN memhall.facts AS f ON f.fact_id = m.id WHERE m.tenant_id = $1',
      /facts/,
    ],
    [
      'SELECT m.id FROM memhall.memories AS m JOIN memhall.facts AS f ON f.tenant_id = $2 WHERE m.tenant_id = $1',
      /different tenants/,
    ],
    ['SELECT 1 FROM memhall.memories AS m WHERE m.tenant_id = $1 AND EXISTS (SELECT 1 FROM memhall.facts)', /facts/],
    ['SELECT (SELECT count(*) FROM memhall.facts) FROM memhall.memories WHERE tenant_id = $1', /facts/],
    ['SELECT 1 FROM memhall.memories WHERE tenant_id = $1 UNION SELECT 1 FROM memhall.facts', /facts/],
    ['INSERT INTO memhall.changes (id) VALUES ($1)', /changes/],
    [
      'INSERT INTO memhall.changes (tenant_id, id) SELECT lower(f.text), f.fact_id FROM memhall.facts AS f WHERE f.tenant_id = $1',
      /changes/,
    ],
    ['UPDATE memhall.memories SET content = $1', /memories/],
    ['DELETE FROM memhall.memories USING memhall.facts AS f WHERE f.tenant_id = $1', /memories/],
    [
      'DELETE FROM memhall.memories WHERE ctid = ANY (ARRAY(SELECT ctid FROM memhall.memories WHERE tenant_id = $1))',
      /memories/,
    ],
    [`UPDATE memhall.memories SET revision = nextval('x') WHERE tenant_id = $1`, /nextval, which is volatile/],
    [
      `WITH r AS (SELECT nextval('x') AS n) UPDATE memhall.memories SET revision = r.n FROM r WHERE tenant_id = $1`,
      /volatile/,
    ],
    [`UPDATE memhall.memories SET hash = convert_to(content, 'UTF8') WHERE tenant_id = $1`, /convert_to of a column/],
    ['DELETE FROM memhall.memories WHERE tenant_id = $1 AND at::timestamptz < $2', /cast of a column/],
    ['UPDATE memhall.memories SET content = mystery(content) WHERE tenant_id = $1', /mystery, which is unknown/],
    [
      'SELECT 1 FROM memhall.memories WHERE tenant_id = $1 AND EXISTS (SELECT FROM memhall.facts WHERE tenant_id = $1)',
      /no column/,
    ],
    ['SELECT pg_advisory_xact_lock(seq) FROM memhall.memories WHERE tenant_id = $1', /where the data is/],
    [`SELECT set_config('app.tenant_id', $1, true)`, /set_config/],
  ])('find what is wrong with %s', (text, message) => {
    expect(faultsOf(text, catalog, ofTenant).join()).toMatch(message);
  });

  it('allow reads across tenants where nobody is named, and no write', () => {
    const across = { isAcrossTenants: true, isDistributed: true };
    expect(faultsOf('SELECT DISTINCT tenant_id FROM memhall.facts', catalog, across)).toEqual([]);
    expect(faultsOf('DELETE FROM memhall.facts', catalog, across)).toHaveLength(1);
  });
});

describeEachDatabase('the schema can be distributed by tenant', (database) => {
  let opened: Database;
  let known: Catalog;
  beforeAll(async () => {
    opened = await openDatabase(database().config(), pino({ level: 'silent' }));
    known = await readCatalog(opened.pool);
  });
  afterAll(() => opened.close());

  const query = async <Row extends object>(text: string) => (await opened.pool.query<Row>(text)).rows;

  it('every table has a tenant, but for one that every node has a copy of', async () => {
    const tables = await query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const others = tables.map(({ name }) => name).filter((name) => !known.distributed.has(name));
    expect(others.sort()).toEqual(['migrations', 'outer_store']);
  });

  it('every key begins with the tenant', async () => {
    const keys = await query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index
       JOIN pg_attribute AS t ON t.attrelid = indrelid AND t.attname = 'tenant_id'
       WHERE indexrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'memhall'::regnamespace)
         AND (indisprimary OR indisunique) AND indkey[0] <> t.attnum`,
    );
    expect(keys).toEqual([]);
    const references = await query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint JOIN pg_attribute AS t ON t.attrelid = conrelid AND t.attname = 'tenant_id'
       JOIN pg_attribute AS f ON f.attrelid = confrelid AND f.attname = 'tenant_id'
       WHERE contype = 'f' AND connamespace = 'memhall'::regnamespace AND NOT (conkey[1] = t.attnum AND confkey[1] = f.attnum)`,
    );
    expect(references).toEqual([]);
  });

  it('no table has a trigger', async () => {
    const triggers = await query(
      `SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE relnamespace = 'memhall'::regnamespace AND NOT tgisinternal`,
    );
    expect(triggers).toEqual([]);
  });

  it('no policy has a subquery, and none of its functions writes', async () => {
    const policies = await query<{ name: string; text: string }>(
      `SELECT polname AS name, concat_ws(' AND ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) AS text
       FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid WHERE relnamespace = 'memhall'::regnamespace`,
    );
    expect(policies.length).toBeGreaterThan(100);
    expect(policies.filter(({ text }) => /\bSELECT\b/i.test(text))).toEqual([]);
    const called = new Set(policies.flatMap(({ text }) => [...text.matchAll(/(\w+)\(/g)].map(([, name = '']) => name)));
    expect([...called].filter((name) => known.volatility.get(name)?.includes('v'))).toEqual([]);
  });

  it('the statements in functions follow the same rules', async () => {
    const functions = await query<{ name: string; text: string }>(
      `SELECT proname AS name, pg_get_functiondef(pg_proc.oid) AS text FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
       WHERE pronamespace = 'memhall'::regnamespace AND lanname = 'plpgsql'`,
    );
    expect(functions.map(({ name }) => name).sort()).toEqual(['append_audit', 'append_audit', 'write_about']);
    for (const { text } of functions) {
      const expressions = nodesIn(parsePlPgSQLSync(text), 'PLpgSQL_expr').map((node) =>
        String(node.query).replace(/^\w+ := /, ''),
      );
      const statements = expressions.map((one) =>
        /^\s*(SELECT|INSERT|UPDATE|DELETE)\b/i.test(one) ? one : `SELECT ${one}`,
      );
      for (const statement of statements)
        expect([statement, faultsOf(statement, known, ofTenant)]).toEqual([statement, []]);
    }
  });
});
