import { readFileSync } from 'node:fs';
import type { PoolClient } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { checkReceipt } from '../src/engine/governance/check-receipt.js';
import { eraseTenant } from '../src/engine/governance/erase-tenant.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import type { Database } from '../src/store/database.js';
import { conditionOf, keptTables, personalRows, tenantRows } from '../src/store/postgres/erasable-rows.js';
import { isAuthored } from '../src/store/postgres/notes-elsewhere.js';
import { anyRow } from '../src/store/postgres/postgres-erasure.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { plantRow } from './support/plant-row.js';

const personal = new Set(personalRows.map(({ table }) => table));
const erasable = new Set([...personal, ...tenantRows.map(({ table }) => table)]);

it('The guide names everything that a receipt counts', () => {
  const guide = readFileSync(new URL('../../../docs/operate/erasure.md', import.meta.url), 'utf8');
  const counted = new Set([...personalRows, ...tenantRows].map(({ kind }) => kind));
  expect([...counted].filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([]);
});

describeEachDatabase('the tables of an erasure', (database) => {
  let opened: Database;
  beforeAll(async () => {
    opened = await openDatabase(database().config(), pino({ level: 'silent' }));
    await seed();
  });
  afterAll(() => opened.close());

  /** Seeds many users with a few rows each, in the tables that have other indexes as well. */
  async function seed(): Promise<void> {
    const users = `FROM generate_series(1, 500) AS u, generate_series(1, 6) AS n`;
    await opened.pool.query(`
      INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, occurred_at, created_at, updated_at,
        analysis, terms, term_count, traits)
      SELECT 't1', u || '-' || n, 'u' || u, CASE n WHEN 1 THEN 'event' ELSE 'fact' END, 'c', 'h', now(), now(), now(), 'a-1', '', 0, 0 ${users};
      INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at, created_at, updated_at)
      SELECT 't1', 'u' || u, (ARRAY['document', 'event', 'snapshot'])[1 + n % 3], '', 'n' || n, 1, 'e', '{}', 2, now(), now(), now() ${users};
      INSERT INTO memhall.task_contexts
      SELECT 't1', 'u' || u, 't' || n, NULL, 'e', NULL, 't', '{}', '{}', '{}', 'e', now(), now() ${users};
      INSERT INTO memhall.replays
      SELECT 't1', 'u' || u, 'r' || n, 'c', 's', 'p', 'completed', 1, NULL, NULL, now(), now(), now() ${users};
      INSERT INTO memhall.unresolved_patches
      SELECT 't1', 'u' || u, 'p' || n, 'r', 'p', 'b', 'n', 'p', 1, '[]', 1, 'null', 'k', 'review', 1, 'c', 'p', NULL, now(), now() ${users};
      ANALYZE memhall.memories, memhall.artifacts, memhall.task_contexts, memhall.replays, memhall.unresolved_patches`);
  }

  async function tablesWith(...columns: string[]): Promise<string[]> {
    const { rows } = await opened.pool.query<{ name: string }>(
      `SELECT DISTINCT relname::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND NOT attisdropped
         AND attname = ANY ($1) ORDER BY name`,
      [columns],
    );
    return rows.map(({ name }) => name);
  }

  /** Runs as the given role and tenant, in a transaction that is rolled back. */
  async function as<T>(role: string, tenant: string, use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await opened.pool.connect();
    try {
      await client.query(`BEGIN; SET LOCAL ROLE ${role}; SET LOCAL app.tenant_id = '${tenant}'`);
      return await use(client);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('cover every table with a user, except those kept for a reason', async () => {
    const known = (await tablesWith('user_id', 'partition')).filter((table) => !(table in keptTables));
    expect([...personal].sort()).toEqual(known);
  });

  it('cover every table with a tenant, except those kept for a reason', async () => {
    expect([...erasable, ...Object.keys(keptTables)].sort()).toEqual(await tablesWith('tenant_id'));
  });

  it('can all be emptied by the eraser role, one tenant at a time', async () => {
    for (const table of erasable) {
      const { rows } = await opened.pool.query(
        `SELECT has_table_privilege('memhall_eraser', 'memhall.${table}', 'SELECT')
            AND has_table_privilege('memhall_eraser', 'memhall.${table}', 'DELETE') AS granted,
          ARRAY(SELECT pg_get_expr(polqual, polrelid) FROM pg_policy
                WHERE polrelid = 'memhall.${table}'::regclass AND 'memhall_eraser'::regrole = ANY (polroles)) AS policies`,
      );
      expect([table, rows]).toEqual([
        table,
        [{ granted: true, policies: [`(tenant_id = current_setting('app.tenant_id'::text, true))`] }],
      ]);
    }
  });

  it('allow only the eraser role to delete audit data, and nobody to delete receipts', async () => {
    const { rows } = await opened.pool.query(
      `SELECT relname, rolname FROM pg_class CROSS JOIN pg_roles
       WHERE relnamespace = 'memhall'::regnamespace AND relname IN ('audit_records', 'audit_heads', 'audit_cuts', 'receipts')
         AND rolname LIKE 'memhall\\_%' AND has_table_privilege(pg_roles.oid, pg_class.oid, 'DELETE') ORDER BY relname`,
    );
    expect(rows).toEqual(
      ['audit_cuts', 'audit_heads', 'audit_records'].map((relname) => ({ relname, rolname: 'memhall_eraser' })),
    );
  });

  it('allow the eraser role no access to other tenants and no updates', async () => {
    await opened.pool.query(
      `INSERT INTO memhall.sessions VALUES ('t1', 'u1', 's', NULL, NULL, '{}', 'e', now(), now()) ON CONFLICT DO NOTHING`,
    );
    const remove = (client: PoolClient) => client.query('DELETE FROM memhall.sessions RETURNING tenant_id');
    expect((await as('memhall_eraser', 't2', remove)).rows).toEqual([]);
    expect((await as('memhall_eraser', '', remove)).rows).toEqual([]);
    expect((await as('memhall_eraser', 't1', remove)).rows).toEqual([{ tenant_id: 't1' }]);
    for (const sql of [
      `UPDATE memhall.sessions SET name = 'x'`,
      `UPDATE memhall.audit_records SET record = '{}'`,
      `UPDATE memhall.memories SET content = 'x'`,
      'DELETE FROM memhall.receipts',
      'DELETE FROM memhall.legal_holds',
      `INSERT INTO memhall.legal_holds VALUES ('t1', 'n', NULL, 'r', now(), now())`,
    ]) {
      await expect(as('memhall_eraser', 't1', (client) => client.query(sql))).rejects.toMatchObject({ code: '42501' });
    }
  });

  it.each([...personal])('make a user known by a single row in %s', async (table) => {
    const client = await opened.pool.connect();
    const known = async (user: string, namespace: string) => {
      const { rows } = await client.query<{ has_rows: boolean }>(anyRow, ['t3', user, namespace]);
      return rows[0]?.has_rows;
    };
    try {
      await client.query('BEGIN');
      await plantRow(client, table, { tenant: 't3', user: 'u3' });
      await client.query(`SET LOCAL ROLE memhall_worker; SET LOCAL app.tenant_id = 't3'`);
      expect([await known('u3', 'workspace:u3'), await known('u', 'workspace:u')]).toEqual([true, false]);
      await client.query(`SET LOCAL app.tenant_id = 't4'`);
      expect(await client.query(anyRow, ['t4', 'u3', 'workspace:u3'])).toMatchObject({ rows: [{ has_rows: false }] });
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('use an index to find what a user wrote into documents of others', async () => {
    const plan = await as('memhall_eraser', 't1', async (client) => {
      await client.query('SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan');
      await client.query(
        `PREPARE looked_at (text, text) AS SELECT FROM memhall.audit_records WHERE tenant_id = $1 AND user_id <> $2 AND ${isAuthored}`,
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS off) EXECUTE looked_at ('t1', 'u1')`,
      );
      await client.query('DEALLOCATE looked_at');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/audit_records_author/);
  });

  it.each(personalRows.map((rows) => [rows.kind ?? rows.table, rows] as const))(
    'use an index to find the %s rows of a user',
    async (_, rows) => {
      const plan = await as('memhall_eraser', 't1', async (client) => {
        await client.query('SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan');
        await client.query(
          `PREPARE looked_at (text, text) AS DELETE FROM memhall.${rows.table} WHERE ${conditionOf(rows)}`,
        );
        const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS off) EXECUTE looked_at ('t1', 'u1')`,
        );
        await client.query('DEALLOCATE looked_at');
        return lines.map((line) => line['QUERY PLAN']).join('\n');
      });
      expect(plan).toMatch(/Index Cond: .*\((user_id|partition) = /);
    },
  );
});

describeEachDatabase('the check of a receipt', (database) => {
  const running = useEngine(database);
  const user = callerOf('gone', 'checked');
  const owned = { tenant: 'checked', user: 'gone' };
  let receipt: string;
  let tenantReceipt: string;

  beforeAll(async () => {
    const { engine } = running();
    receipt = (await forgetUser(engine, user)).id;
    tenantReceipt = (await eraseTenant(engine, callerOf('boss', 'emptied'))).id;
  });

  it.each([...personal])('finds a row of the user in %s, and counts it by kind', async (table) => {
    const { engine, database: opened } = running();
    const remove = await plantRow(opened.pool, table, owned);
    const found = await checkReceipt(engine, user, receipt);
    await remove();
    const kinds = personalRows.filter((rows) => rows.table === table).map(({ kind }) => kind);
    expect(found?.isVerified).toBe(false);
    expect(Object.entries(found?.remaining ?? {}).filter(([, count]) => count > 0)).toEqual([
      [expect.toBeOneOf(kinds), 1],
    ]);
  });

  it.each([...erasable])('finds a row of the tenant in %s', async (table) => {
    const { engine, database: opened } = running();
    const isVerified = async () => (await checkReceipt(engine, callerOf('boss', 'emptied'), tenantReceipt))?.isVerified;
    const before = await isVerified();
    const remove = await plantRow(opened.pool, table, { tenant: 'emptied', user: 'gone' });
    const after = await isVerified();
    await remove();
    expect([before, after]).toEqual([true, false]);
  });

  it('counts rows that have no time as newer if what they belong to is newer', async () => {
    const { engine, database: opened } = running();
    const { id } = await forgetUser(engine, callerOf('back', 'checked'));
    await opened.pool.query(`
      INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, occurred_at, created_at, updated_at,
        analysis, terms, term_count, traits, seq) VALUES ('checked', 'm', 'back', 'fact', 'c', 'h', now(), now(), now(), 'a-1', '', 0, 0, 7);
      INSERT INTO memhall.large_partitions (tenant_id, partition) VALUES ('checked', 'u:back');
      INSERT INTO memhall.memory_postings VALUES ('checked', 'u:back', 1, 7, 1, 1);
      INSERT INTO memhall.memory_terms VALUES ('checked', 'u:back', 1, 1);
      INSERT INTO memhall.resources VALUES ('checked', 'back', 'r', 'a', 'p', NULL, NULL, NULL, 't', 1, 'h', 's', NULL, 1, now());
      INSERT INTO memhall.resource_pieces VALUES ('checked', 'back', 'r', 1, '');
      INSERT INTO memhall.audit_heads VALUES ('checked', 'back', 8, '');
      INSERT INTO memhall.audit_cuts VALUES ('checked', 'back', 7, '');
      INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
        VALUES ('checked', 'back', 8, json_build_object('at', now(), 'operation', 'o', 'target', 't'), '');
      INSERT INTO memhall.outer_heads VALUES ('checked', 'back', 'c', 3)`);
    const found = await checkReceipt(engine, user, id);
    expect(found?.isVerified).toBe(true);
    expect(Object.fromEntries(Object.entries(found?.newer ?? {}).filter(([, count]) => count > 0))).toEqual({
      memories: 1,
      index_entries: 3,
      resources: 1,
      resource_pieces: 1,
      audit_heads: 1,
      audit_cuts: 1,
      audit_records: 1,
      outer_heads: 1,
    });
  });
});
