import { pino } from 'pino';
import { openDatabase } from '../../src/composition/open-database.js';
import { connectDirectly, type TestDatabase } from './databases.js';

/** Runs a statement as the owner of the database while a server is running, which no caller of Memhall can do. */
export async function pastEverything<Row extends Record<string, unknown>>(
  database: TestDatabase,
  statement: string,
): Promise<Row[]> {
  if (database.kind === 'postgres') {
    const pool = connectDirectly(database);
    return (await pool.query<Row>(statement).finally(() => pool.end())).rows;
  }
  const shared = await openDatabase(database.config({}), pino({ level: 'silent' }), { shareRunning: true });
  return (await shared.pool.query<Row>(statement).finally(() => shared.close())).rows;
}
