import type { Span, Tracer } from '@opentelemetry/api';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { startEngine } from '../../src/composition/start-engine.js';
import type { Caller } from '../../src/engine/caller.js';
import type { Engine } from '../../src/engine/engine.js';
import type { Database } from '../../src/store/database.js';
import { forTests } from './citus/recorder.js';
import type { TestDatabase } from './databases.js';

export interface ExplainedEngine {
  engine: Engine;
  database: Database;
  /**
   * Runs `work`. Returns its result and the query plan of the statement it sent that names `table`, for the exact text
   * that was sent, as memhall_app in the caller's scope.
   */
  explain<T>(
    caller: Caller,
    table: string,
    work: (engine: Engine, caller: Caller) => Promise<T>,
  ): Promise<{ result: T; plan: string }>;
  close(): Promise<void>;
}

/** Runs an engine whose statements can be inspected. */
export function useExplainedEngine(database: () => TestDatabase): () => ExplainedEngine {
  let running: ExplainedEngine | undefined;
  beforeAll(async () => {
    running = await startExplainedEngine(database());
  });
  afterAll(() => running?.close());
  return () => {
    if (running === undefined) throw new Error('the engine is there only while tests run');
    return running;
  };
}

async function startExplainedEngine(test: TestDatabase): Promise<ExplainedEngine> {
  const sent: string[] = [];
  const tracer = recordStatements(sent);
  const { engine, database, close } = await startEngine(test.config(), pino({ level: 'silent' }), { tracer });
  return {
    engine,
    database,
    close,
    async explain(caller, table, work) {
      sent.length = 0;
      const result = await work(engine, caller);
      const text = sent.find((statement) => statement.includes(`memhall.${table}`));
      if (text === undefined) throw new Error(`no statement names ${table}: ${sent.join('; ')}`);
      return { result, plan: await explainStatement(database, caller, text) };
    },
  };
}

/** Returns a tracer that records the text of every statement. */
export function recordStatements(sent: string[]): Tracer {
  const span = { end: () => undefined, setStatus: () => span } as unknown as Span;
  return {
    startSpan(_name: string, options: { attributes: Record<string, string> }) {
      sent.push(options.attributes['db.query.text'] ?? '');
      return span;
    },
  } as unknown as Tracer;
}

/**
 * Returns the query plan of a statement as memhall_app in the caller's scope. Without values it is the generic plan,
 * which the database may use for a prepared statement.
 */
export async function explainStatement(
  database: Database,
  caller: Caller,
  text: string,
  { values, settings = {} }: { values?: readonly unknown[]; settings?: Record<string, string> } = {},
): Promise<string> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL ROLE memhall_app');
    await client.query(
      `${forTests} SELECT set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`,
      [caller.tenantId, caller.userId],
    );
    const planning = {
      plan_cache_mode: values === undefined ? 'force_generic_plan' : 'force_custom_plan',
      ...settings,
    };
    for (const [name, value] of Object.entries(planning)) await client.query(`SET LOCAL ${name} = '${value}'`);
    await client.query(`PREPARE looked_at AS ${text}`);
    const count = new Set(text.match(/\$\d+/g)).size;
    const shown = values?.map((value) => client.escapeLiteral(String(value))) ?? Array(count).fill('NULL');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE looked_at (${shown.join(', ')})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
    client.release(true);
  }
}

/** Inserts rows directly, bypassing all rules, and updates the planner statistics of the tables. */
export async function seedRows({ database }: ExplainedEngine, tables: readonly string[], sql: string): Promise<void> {
  await database.pool.query(sql);
  for (const table of tables) await database.pool.query(`ANALYZE memhall.${table}`);
}
