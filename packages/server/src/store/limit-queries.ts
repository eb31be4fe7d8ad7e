import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Settings, setEach } from './session-settings.js';

/**
 * Makes `pool.query` run each statement in a transaction of its own that begins with these limits. All of it is sent at once. A text
 * that begins a transaction itself is sent as it is.
 */
export function limitQueries(pool: Pool, settings: Settings): void {
  const limits = setEach(settings);
  const query = async (text: string, values?: unknown[]): Promise<QueryResult> => {
    const client = await pool.connect();
    try {
      const result = await send(client, limits, text, values);
      client.release();
      return result;
    } catch (error) {
      // Whether the transaction has ended is not known.
      client.release(true);
      throw error;
    }
  };
  pool.query = query as Pool['query'];
}

async function send(
  client: PoolClient,
  limits: readonly string[],
  text: string,
  values?: unknown[],
): Promise<QueryResult> {
  if (/^\s*BEGIN\b/i.test(text)) return client.query(text, values);
  const [begun, result, ended] = await Promise.allSettled([
    client.query(['BEGIN', ...limits].join('; ')),
    client.query(text, values),
    client.query('COMMIT'),
  ]);
  for (const outcome of [begun, result, ended]) if (outcome.status === 'rejected') throw outcome.reason;
  return (result as PromiseFulfilledResult<QueryResult>).value;
}
