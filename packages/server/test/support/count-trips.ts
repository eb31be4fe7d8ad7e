import type { Database } from '../../src/store/database.js';

/** Counts how often a call waits for the database before it sends more. No result waits for the end of a transaction that only reads. */
export async function countTrips({ pool }: Pick<Database, 'pool'>, call: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  let trips = 0;
  let isAnswered = true;
  prototype.query = function (this: unknown, ...args: unknown[]) {
    if (args[0] === 'COMMIT') return query.apply(this, args);
    if (isAnswered) trips += 1;
    isAnswered = false;
    const result = query.apply(this, args);
    void Promise.resolve(result).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    return result;
  };
  try {
    await call();
  } finally {
    prototype.query = query;
  }
  return trips;
}
