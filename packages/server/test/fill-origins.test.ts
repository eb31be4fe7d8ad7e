import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { type RunningEngine, startEngine } from '../src/composition/start-engine.js';
import { fillOrigins, originBacklog } from '../src/engine/memories/fill-origins.js';
import { getMemory } from '../src/engine/memories/get-memory.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { fillOriginsJob } from '../src/jobs/fill-origins-job.js';
import { assumedOrigin } from '../src/ports/assumed-origin.js';
import { migrate, readMigrations } from '../src/store/migrations.js';
import { createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';

const silent = pino({ level: 'silent' });

interface OldRow {
  id: string;
  kind?: string;
  user?: string;
  namespace?: string;
  source?: string;
  role?: string;
  session?: string;
  agent?: string;
  propagation?: object;
  metadata?: object;
  /** What it is expected to become: surface, author and trust. */
  becomes: string;
}

const learned = { agent: 'memhall', source: 'conversation' };
const evidence = (...ids: string[]) => ({ evidence: { message_ids: ids } });
const oldRows: OldRow[] = [
  { id: 'said', kind: 'episodic', role: 'user', source: 'u1', becomes: 'gateway u1 user' },
  { id: 'answered', kind: 'episodic', role: 'assistant', source: 'bot', becomes: 'gateway u1 agent' },
  { id: 'computed', kind: 'episodic', role: 'tool', becomes: 'memory_service u1 tool' },
  { id: 'instructed', kind: 'episodic', role: 'system', becomes: 'memory_service u1 agent' },
  { id: 'known', kind: 'semantic', becomes: 'memory_service u1 agent' },
  { id: 'skill', kind: 'procedural', role: 'skill', becomes: 'memory_service u1 agent' },
  { id: 'chat', kind: 'event', session: 'chat:c', becomes: 'gateway u1 agent' },
  { id: 'told', kind: 'event', source: 'crm', becomes: 'documents u1 agent' },
  { id: 'fact', kind: 'fact', becomes: 'library u1 user' },
  { id: 'fact-said', kind: 'fact', ...learned, metadata: evidence('said', 'gone'), becomes: 'gateway u1 user' },
  { id: 'fact-mixed', kind: 'fact', ...learned, metadata: evidence('said', 'computed'), becomes: 'gateway u1 tool' },
  { id: 'fact-lost', kind: 'fact', ...learned, metadata: evidence('gone'), becomes: 'gateway u1 agent' },
  { id: 'piece', kind: 'resource', becomes: 'gateway u1 tool' },
  { id: 'note', kind: 'tier', user: 'workspace/w1', becomes: 'provider  agent' },
  { id: 'own', kind: 'diary', becomes: 'library u1 user' },
  { id: 'committed', kind: 'fact', namespace: 'team:t', source: 'agent', becomes: 'mcp u1 agent' },
  { id: 'listened', kind: 'fact', namespace: 'team:t', user: '', source: 'user', becomes: 'plugin  external' },
  {
    ...{ id: 'copied', kind: 'fact', namespace: 'team:t', user: '', source: 'agent' },
    ...{ propagation: { legacy: { scope: 'LOCAL' } }, becomes: 'import  external' },
  },
];

/** Returns a database as the version before origins left it, with these rows. */
async function olderDatabase(kind: TestDatabase['kind'], rows: readonly OldRow[]): Promise<TestDatabase> {
  const database = await createTestDatabase(kind);
  const opened = await openDatabase(database.config(), silent);
  try {
    const all = await readMigrations();
    const origins = all.find(({ name }) => name.endsWith('origins'));
    const version = origins?.version ?? 0;
    await opened.pool.query('DROP SCHEMA memhall CASCADE');
    await migrate(
      opened.pool,
      all.filter((migration) => migration.version < version),
    );
    await insertOld(opened.pool, rows);
  } finally {
    await opened.close();
  }
  return database;
}

interface Queryable {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Inserts rows as older versions do: without the columns of the origin. */
async function insertOld(pool: Queryable, rows: readonly OldRow[]): Promise<void> {
  await pool.query(
    `INSERT INTO memhall.namespaces (tenant_id, name, kind, created_at) VALUES ('t1', 'team:t', 'team', now())
     ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO memhall.audit_heads (tenant_id, user_id, seq, hash) VALUES ('t1', 'u1', 0, decode(repeat('00', 32), 'hex'))
     ON CONFLICT DO NOTHING`,
  );
  for (const row of rows) {
    await pool.query(
      `INSERT INTO memhall.memories (tenant_id, id, user_id, namespace, kind, content, content_hash, source, role, session_id,
         agent_id, propagation, metadata, occurred_at, created_at, updated_at, analysis, terms, term_count, traits)
       VALUES ('t1', $1, $2, $3, $4, $5, $1, $6, $7, $8, $9, $10, $11, '2024-01-01', '2024-01-01', '2024-01-02', 'none', '', 0, 0)`,
      [
        ...[row.id, row.user ?? 'u1', row.namespace ?? null, row.kind ?? 'fact', `zq${row.id}`],
        ...[row.source ?? null, row.role ?? null, row.session ?? null, row.agent ?? null],
        ...[row.propagation === undefined ? null : JSON.stringify(row.propagation), JSON.stringify(row.metadata ?? {})],
      ],
    );
  }
}

describeEachDatabase('memories of an older version', (shared) => {
  const caller = callerOf('u1', 't1', ['team:t']);

  async function withOlder(rows: readonly OldRow[], use: (running: RunningEngine) => Promise<void>): Promise<void> {
    const database = await olderDatabase(shared().kind, rows);
    try {
      const running = await startEngine(database.config(), silent);
      await use(running).finally(() => running.close());
    } finally {
      await database.remove();
    }
  }

  const stored = async ({ database }: RunningEngine) => {
    const { rows } = await database.pool.query(
      'SELECT id, surface, author, trust, recorded_at, created_at FROM memhall.memories ORDER BY seq',
    );
    return rows;
  };

  it('get their origin from what is known about them, and keep their content', async () => {
    await withOlder(oldRows, async (running) => {
      const { engine } = running;
      expect(await originBacklog(engine, 't1')).toBe(oldRows.length);
      const before = await getMemory(engine, caller, 'said');
      expect(before).toMatchObject({ surface: 'gateway', author: 'u1', trust: 'user', recordedAt: before?.createdAt });

      expect(await fillOrigins(engine, 't1')).toBe(oldRows.length);
      expect(await originBacklog(engine, 't1')).toBe(0);
      const rows = await stored(running);
      expect(rows.map(({ id, surface, author, trust }) => `${id}: ${surface} ${author} ${trust}`)).toEqual(
        oldRows.map(({ id, becomes }) => `${id}: ${becomes}`),
      );
      for (const row of rows) expect(row.recorded_at).toEqual(row.created_at);
      expect(await getMemory(engine, caller, 'said')).toEqual(before);
      expect(await fillOrigins(engine, 't1')).toBe(0);
    });
  });

  it('are filled where an interrupted run stopped, and those that an older server still writes as well', async () => {
    const many = Array.from({ length: 450 }, (_, number) => ({ id: `m${number}`, becomes: '' }));
    await withOlder(many, async (running) => {
      const { engine } = running;
      let checks = 0;
      const stopping = new Proxy(new AbortController().signal, {
        get: () => () => {
          if (++checks === 3) throw new Error('interrupted');
        },
      });
      await expect(fillOrigins(engine, 't1', stopping)).rejects.toThrow('interrupted');
      const left = await originBacklog(engine, 't1');
      expect(left).toBe(50);
      await insertOld(running.database.pool, [{ id: 'late', kind: 'semantic', becomes: '' }]);
      const enqueued: unknown[] = [];
      const queue = { enqueue: async (_: string, payload: object) => enqueued.push(payload) > 0 };
      const run = (payload: object) =>
        fillOriginsJob.run({ engine, queue } as never, payload as never, new AbortController().signal);
      expect(await run({})).toEqual({ tenants: 1, behind: 1 });
      expect(enqueued).toEqual([{ tenantId: 't1' }]);
      expect(await run({ tenantId: 't1' })).toEqual({ memories: left + 1 });
      expect(await run({})).toEqual({ tenants: 1, behind: 0 });
    });
  });

  it('can be changed and recalled before they are filled', async () => {
    await withOlder([{ id: 'early', kind: 'semantic', becomes: '' }], async (running) => {
      const { engine } = running;
      const updated = await updateMemory(engine, caller, 'early', { content: 'zqowl' });
      expect(updated).toMatchObject({
        surface: 'library',
        author: 'u1',
        trust: 'user',
        recordedAt: updated?.createdAt,
      });
      expect(await originBacklog(engine, 't1')).toBe(0);
      const [found] = await recall(engine, caller, { text: 'zqowl', scope: { own: true }, limit: 5 });
      expect(found?.memory).toMatchObject({ id: 'early', trust: 'user' });
    });
  });

  it('have an assumed origin for every kind', () => {
    const nothing = { role: null, source: null, sessionId: null, agentId: null, propagation: null };
    const partition = { kind: 'public' } as const;
    const origin = assumedOrigin({ ...nothing, kind: 'semantic', userId: 'ann', partition });
    expect(origin).toEqual({ surface: 'memory_service', author: 'ann', trust: 'agent' });
  });
});
