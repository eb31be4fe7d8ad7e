import { pino } from 'pino';
import { openDatabase } from '../../src/composition/open-database.js';
import { connectDirectly, type TestDatabase } from './databases.js';

/** One statement as the owner of everything, beside a running server: what no caller of Memhall could do. */
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
