import { pino } from 'pino';
import { openDatabase } from '../../src/main.js';
import { connectDirectly, type TestDatabase } from './databases.js';

/** One statement as the owner of everything, beside a running server: what no caller of Memhall could do. */
export async function pastEverything(database: TestDatabase, statement: string): Promise<void> {
  if (database.kind === 'postgres') {
    const pool = connectDirectly(database);
    await pool.query(statement).finally(() => pool.end());
    return;
  }
  const shared = await openDatabase(database.config({}), pino({ level: 'silent' }), { shareRunning: true });
  await shared.pool.query(statement).finally(() => shared.close());
}
