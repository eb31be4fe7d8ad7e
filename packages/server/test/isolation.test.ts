import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDirectly, describeEachDatabase, type TestDatabase } from './support/databases.js';

interface Session {
  /** Runs as memhall_app with these settings, in a transaction that is rolled back. */
  as(scope: { tenant?: string; user?: string; namespaces?: string }, sql: string): Promise<Record<string, unknown>[]>;
  admin(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session for plain SQL without our code: its own login on PostgreSQL, SET ROLE on the embedded database. */
async function openSession(database: TestDatabase): Promise<Session> {
  const scopeSql = ({ tenant, user, namespaces }: { tenant?: string; user?: string; namespaces?: string }) =>
    [
      ...(namespaces === undefined ? [] : [`SET LOCAL app.namespaces = '${namespaces}'`]),
      ...(tenant === undefined ? [] : [`SET LOCAL app.tenant_id = '${tenant}'`]),
      ...(user === undefined ? [] : [`SET LOCAL app.user_id = '${user}'`]),
    ].join(';');
  if (database.kind === 'embedded') {
    const pglite = await PGlite.create({
      dataDir: join(database.flags.dataDirectory ?? '', 'postgres'),
      extensions: { vector },
    });
    return {
      async as(scope, sql) {
        await pglite.exec(`BEGIN; SET LOCAL ROLE memhall_app; ${scopeSql(scope)}`);
        try {
          return (await pglite.query<Record<string, unknown>>(sql)).rows;
        } finally {
          await pglite.exec('ROLLBACK');
        }
      },
      admin: async (sql) => void (await pglite.exec(sql)),
      close: () => pglite.close(),
    };
  }
  const owner = connectDirectly(database);
  await owner.query('DROP ROLE IF EXISTS tester');
  await owner.query('CREATE ROLE tester LOGIN IN ROLE memhall_app');
  const tester = connectDirectly(database, 'tester');
  return {
    async as(scope, sql) {
      const client = await tester.connect();
      try {
        await client.query(`BEGIN; ${scopeSql(scope)}`);
        return (await client.query(sql)).rows;
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    },
    admin: async (sql) => void (await owner.query(sql)),
    async close() {
      await tester.end();
      await owner.query('DROP ROLE tester');
      await owner.end();
    },
  };
}

const people = [
  { tenant: 't1', user: 'u1' },
  { tenant: 't1', user: 'u10' },
  { tenant: 't10', user: 'u1' },
];

const form = "'a-1', ''::bytea, 0, 0";

function insertMemory(
  { tenant, user }: { tenant: string; user: string },
  rest = { id: 'm', public: false, namespace: 'NULL' },
): string {
  return `INSERT INTO memhall.memories (tenant_id, id, user_id, namespace, is_public, kind, content, content_hash, occurred_at,
            created_at, updated_at, analysis, terms, term_count, traits)
          VALUES ('${tenant}', '${rest.id}-${user}', '${user}', ${rest.namespace}, ${rest.public}, 'fact', 'of ${tenant}/${user}',
            'h', now(), now(), now(), ${form})`;
}

function insertValue({ tenant, user }: { tenant: string; user: string }): string {
  return `INSERT INTO memhall.working_values (tenant_id, user_id, plan_id, key, value, etag, created_at, updated_at)
          VALUES ('${tenant}', '${user}', 'p', 'k', '"of ${tenant}/${user}"', 'e', now(), now())`;
}

/** Returns inserts of one row into each table of agent state and documents. `row` tells the rows apart. */
function insertState({ tenant, user }: { tenant: string; user: string }, row = 'r'): string[] {
  const key = `'${tenant}', '${user}', '${row}'`;
  return [
    `INSERT INTO memhall.task_contexts VALUES (${key}, NULL, 'e', NULL, 't', '{}', '{sub}', '{}', 'e', now(), now())`,
    `INSERT INTO memhall.task_sub_tasks (tenant_id, user_id, task_id, sub_task_id) VALUES (${key}, 'sub')`,
    `INSERT INTO memhall.plans (tenant_id, user_id, plan_id, goal_event, goal_data, status, state, correlation_ids, etag,
       created_at, updated_at) VALUES (${key}, 'g', '{}', 'running', '{}', '{c}', 'e', now(), now())`,
    `INSERT INTO memhall.plan_correlations (tenant_id, user_id, plan_id, correlation_id) VALUES (${key}, 'c')`,
    `INSERT INTO memhall.sessions VALUES (${key}, NULL, NULL, '{}', 'e', now(), now())`,
    `INSERT INTO memhall.artifacts (tenant_id, user_id, name, kind, folder, version, etag, body, size_chars, occurred_at,
       created_at, updated_at) VALUES (${key}, 'document', 'n', 1, 'e', '{}', 2, now(), now(), now())`,
    `INSERT INTO memhall.document_checkpoints (tenant_id, user_id, name, folder, version, etag, body, at)
       VALUES (${key}, 'n', 1, 'e', '{}', now())`,
    `INSERT INTO memhall.idempotency_keys (tenant_id, user_id, key, payload_hash, result, created_at)
       VALUES (${key}, 'h', '{}', now())`,
    `INSERT INTO memhall.user_keys VALUES ('${tenant}', '${user}', '${tenant}/${user}', now(), now())
       ON CONFLICT (tenant_id, user_id) DO NOTHING`,
    `INSERT INTO memhall.user_settings VALUES ('${tenant}', '${user}', 'UTC', now(), now())
       ON CONFLICT (tenant_id, user_id) DO NOTHING`,
    `INSERT INTO memhall.fact_readings (tenant_id, user_id, until_seq, remaining, created_at)
       VALUES ('${tenant}', '${user}', 1, 1, now()) ON CONFLICT (tenant_id, user_id) DO NOTHING`,
    `INSERT INTO memhall.episodes VALUES (${key}, 's', 'a', 'p', 1, 'done', 0, now(), now())`,
    `INSERT INTO memhall.resources VALUES (${key}, 'a', 'p', NULL, NULL, NULL, 'm', 1, '${row}', 'extracted', NULL, 0, now())`,
    `INSERT INTO memhall.resource_pieces VALUES (${key}, 0, '')`,
    `INSERT INTO memhall.facts VALUES (${key}, 's', 's', 'a', 'a', 'v', 'v', 't', now())`,
    `INSERT INTO memhall.fact_states (tenant_id, user_id, fact_id, seq, at, change, reason, cause, standing, valid_from, trust,
       confidence, replaces, is_stated)
       VALUES (${key}, 1, now(), 'recorded', 'believed', 'f', 'held', now(), 'user', 1, true, true)`,
    `INSERT INTO memhall.fact_evidence VALUES (${key}, 'm', now())`,
    `INSERT INTO memhall.subject_names (tenant_id, user_id, name_key, seq, name, subject_key, subject, change, at, trust)
       VALUES (${key}, 1, 'n', 's', 's', 'merged', now(), 'user')`,
    `INSERT INTO memhall.fact_places VALUES (${key}, 'a', 'n', 'p', now(), 0, now())`,
    `INSERT INTO memhall.reverted_rows VALUES (${key}, 'memory', 'k', '{}', now())`,
  ];
}

/** Returns inserts of the index rows of a large partition. */
function insertIndex({ tenant, user }: { tenant: string; user: string }): string[] {
  const key = `'${tenant}', 'u:${user}'`;
  return [
    `INSERT INTO memhall.large_partitions (tenant_id, partition) VALUES (${key})`,
    `INSERT INTO memhall.memory_postings (tenant_id, partition, term, seq, occurrences, term_count) VALUES (${key}, 1, 1, 1, 1)`,
    `INSERT INTO memhall.memory_terms (tenant_id, partition, term, memory_count) VALUES (${key}, 1, 1)`,
    `INSERT INTO memhall.memory_pages VALUES (${key}, 'm', 0, 1, 0, '', '', '', '', '', '', '', '')`,
  ];
}

const stateTables = [
  'task_contexts',
  'task_sub_tasks',
  'plans',
  'plan_correlations',
  'sessions',
  'artifacts',
  'document_checkpoints',
  'idempotency_keys',
  'user_keys',
  'user_settings',
  'fact_readings',
  'episodes',
  'resources',
  'resource_pieces',
  'fact_places',
];
/** Rows that are never changed, by anybody. */
const unchangingTables = ['facts', 'fact_states', 'fact_evidence', 'subject_names', 'reverted_rows'];

describeEachDatabase('the application role, with plain SQL', (database) => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession(database());
    for (const person of people) {
      await session.admin(insertValue(person));
      for (const sql of insertState(person)) await session.admin(sql);
      await session.admin(insertMemory(person));
      for (const sql of insertIndex(person)) await session.admin(sql);
      await session.admin(
        `INSERT INTO memhall.memory_removals (tenant_id, partition, removed) VALUES ('${person.tenant}', 'u:${person.user}', 1)`,
      );
      await session.admin(
        `SELECT memhall.append_audit('${person.tenant}', '${person.user}', ARRAY['{"target":"x","at":"y"}'])`,
      );
    }
  });
  afterAll(() => session.close());

  const tables = ['working_values', 'audit_heads', 'audit_records', 'memories', ...stateTables, ...unchangingTables];
  const partitioned = [
    'memories',
    'memory_removals',
    'large_partitions',
    'memory_pages',
    'memory_postings',
    'memory_terms',
  ];

  it.each(tables)('reads only its own rows of %s', async (table) => {
    for (const person of people) {
      const rows = await session.as(person, `SELECT tenant_id, user_id FROM memhall.${table}`);
      expect(rows).toEqual([{ tenant_id: person.tenant, user_id: person.user }]);
    }
  });

  it.each(partitioned)('sees only its own partition of %s', async (table) => {
    for (const person of people) {
      const rows = await session.as(person, `SELECT tenant_id, partition FROM memhall.${table}`);
      expect(rows).toEqual([{ tenant_id: person.tenant, partition: `u:${person.user}` }]);
    }
  });

  it.each([...tables, ...partitioned])('reads nothing of %s without a scope', async (table) => {
    for (const scope of [
      {},
      { tenant: 't1' },
      { user: 'u1' },
      { tenant: '', user: '' },
      { tenant: 't%', user: 'u%' },
    ]) {
      expect(await session.as(scope, `SELECT 1 FROM memhall.${table}`)).toEqual([]);
    }
  });

  it('cannot write for another user or tenant', async () => {
    const own = { tenant: 't1', user: 'u1' };
    for (const person of [
      { tenant: 't1', user: 'u2' },
      { tenant: 't2', user: 'u1' },
    ]) {
      await expect(session.as(own, insertValue(person))).rejects.toMatchObject({ code: '42501' });
      const append = `SELECT memhall.append_audit('${person.tenant}', '${person.user}', ARRAY['{"target":"x","at":"y"}'])`;
      await expect(session.as(own, append)).rejects.toMatchObject({ code: '42501' });
    }
    expect(
      await session.as(own, `UPDATE memhall.working_values SET etag = 'x' WHERE user_id <> 'u1' RETURNING 1`),
    ).toEqual([]);
    expect(await session.as(own, `DELETE FROM memhall.working_values WHERE user_id <> 'u1' RETURNING 1`)).toEqual([]);
    await expect(session.as(own, `UPDATE memhall.working_values SET user_id = 'u2'`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('cannot touch the state of another user, not even through a reference', async () => {
    const own = { tenant: 't1', user: 'u1' };
    for (const person of [
      { tenant: 't1', user: 'u10' },
      { tenant: 't10', user: 'u1' },
    ]) {
      for (const sql of insertState(person, 'forged')) {
        await expect(session.as(own, sql)).rejects.toMatchObject({ code: '42501' });
      }
      const theirs = `tenant_id = '${person.tenant}' AND user_id = '${person.user}'`;
      for (const table of unchangingTables) {
        expect(await session.as(own, `DELETE FROM memhall.${table} WHERE ${theirs} RETURNING 1`)).toEqual([]);
        const set = `UPDATE memhall.${table} SET user_id = user_id`;
        await expect(session.as(own, set)).rejects.toMatchObject({ code: '42501' });
      }
      for (const table of stateTables) {
        const rows = await session.as(own, `DELETE FROM memhall.${table} WHERE ${theirs} RETURNING 1`);
        expect(rows).toEqual([]);
        const set = `UPDATE memhall.${table} SET user_id = user_id WHERE ${theirs} RETURNING 1`;
        expect(await session.as(own, set)).toEqual([]);
        await expect(
          session.as(own, `UPDATE memhall.${table} SET user_id = '${person.user}', tenant_id = '${person.tenant}'`),
        ).rejects.toMatchObject({ code: '42501' });
      }
    }
  });

  it.each(['schemas', 'profiles'])('reads the %s of its tenant and writes none', async (table) => {
    const insert = (tenant: string) =>
      table === 'schemas'
        ? `INSERT INTO memhall.schemas VALUES ('${tenant}', 's', '1', '{}', NULL, 'h', now())`
        : `INSERT INTO memhall.profiles VALUES ('${tenant}', 'p', '{}', 'e', now(), now())`;
    for (const tenant of ['t1', 't10']) await session.admin(insert(tenant));
    for (const person of people) {
      const rows = await session.as(person, `SELECT tenant_id FROM memhall.${table}`);
      expect(rows).toEqual([{ tenant_id: person.tenant }]);
      for (const sql of [
        insert(person.tenant),
        `UPDATE memhall.${table} SET created_at = now()`,
        `DELETE FROM memhall.${table}`,
      ]) {
        await expect(session.as(person, sql)).rejects.toMatchObject({ code: '42501' });
      }
    }
    expect(await session.as({ user: 'u1' }, `SELECT 1 FROM memhall.${table}`)).toEqual([]);
  });

  it('cannot touch the index of another partition', async () => {
    const own = { tenant: 't1', user: 'u1', namespaces: 'u10' };
    for (const person of [
      { tenant: 't1', user: 'u10' },
      { tenant: 't10', user: 'u1' },
    ]) {
      for (const sql of insertIndex(person))
        await expect(session.as(own, sql)).rejects.toMatchObject({ code: '42501' });
      const theirs = `tenant_id = '${person.tenant}' AND partition = 'u:${person.user}'`;
      for (const table of ['large_partitions', 'memory_postings', 'memory_terms']) {
        expect(await session.as(own, `DELETE FROM memhall.${table} WHERE ${theirs} RETURNING 1`)).toEqual([]);
        expect(
          await session.as(own, `UPDATE memhall.${table} SET tenant_id = 't1' WHERE ${theirs} RETURNING 1`),
        ).toEqual([]);
      }
    }
  });

  it('shares public memories with the tenant, for reading only', async () => {
    const [mine, other, stranger] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
    await session.admin(insertMemory(mine, { id: 'open', public: true, namespace: 'NULL' }));
    const seen = `SELECT id FROM memhall.memories WHERE is_public`;
    expect(await session.as(other, seen)).toEqual([{ id: 'open-u1' }]);
    expect(await session.as(stranger, seen)).toEqual([]);
    expect(await session.as(other, `UPDATE memhall.memories SET content = 'x' WHERE is_public RETURNING 1`)).toEqual(
      [],
    );
    expect(await session.as(other, `DELETE FROM memhall.memories WHERE is_public RETURNING 1`)).toEqual([]);
    await expect(
      session.as(other, insertMemory(mine, { id: 'forged', public: true, namespace: 'NULL' })),
    ).rejects.toMatchObject({ code: '42501' });
    await session.admin(`DELETE FROM memhall.memories WHERE is_public`);
  });

  it('sees only the namespaces in its scope, matched by full name', async () => {
    const scope = (namespaces: string) => ({ tenant: 't1', user: 'u10', namespaces });
    await session.admin(
      `INSERT INTO memhall.namespaces (tenant_id, name, kind, created_at) VALUES ('t1', 'team:1', 'team', now()), ('t1', 'team:10', 'team', now())`,
    );
    await session.admin(insertMemory({ tenant: 't1', user: 'u1' }, { id: 'in', public: false, namespace: `'team:1'` }));
    const seen = `SELECT id FROM memhall.memories WHERE namespace IS NOT NULL`;
    expect(await session.as(scope('team:1'), seen)).toEqual([{ id: 'in-u1' }]);
    expect(await session.as(scope('team:10\nteam:1'), seen)).toEqual([{ id: 'in-u1' }]);
    for (const wrong of ['team:10', 'team:', 'team', '', '%', 'team:1 '])
      expect(await session.as(scope(wrong), seen)).toEqual([]);
    expect(await session.as(scope('team:10'), 'SELECT name FROM memhall.namespaces')).toEqual([{ name: 'team:10' }]);
    await session.admin(`DELETE FROM memhall.namespaces WHERE tenant_id = 't1'`);
    expect(await session.as(scope('team:1'), seen)).toEqual([]);
  });

  it('cannot change or delete audit records', async () => {
    const own = { tenant: 't1', user: 'u1' };
    await expect(session.as(own, `UPDATE memhall.audit_records SET record = '{}'`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(session.as(own, 'DELETE FROM memhall.audit_records')).rejects.toMatchObject({ code: '42501' });
    await expect(session.as(own, 'DELETE FROM memhall.audit_heads')).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot disable row-level security, or create or drop anything', async () => {
    const own = { tenant: 't1', user: 'u1' };
    for (const sql of [
      'ALTER TABLE memhall.working_values DISABLE ROW LEVEL SECURITY',
      'DROP POLICY working_values_user ON memhall.working_values',
      'TRUNCATE memhall.working_values',
      'CREATE TABLE memhall.mine (id int)',
      'SELECT * FROM memhall.migrations',
    ]) {
      await expect(session.as(own, sql)).rejects.toMatchObject({ code: '42501' });
    }
  });
});
