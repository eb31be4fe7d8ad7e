import type { Pool } from 'pg';

/** Counts how often a call waits for the database before it sends more. */
export async function countTrips(pool: Pool, call: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  let trips = 0;
  let isAnswered = true;
  prototype.query = function (this: unknown, ...args: unknown[]) {
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
