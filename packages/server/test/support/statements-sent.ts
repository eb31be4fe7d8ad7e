import type { Database } from '../../src/store/database.js';

/** Returns the texts of the statements that a call sends. */
export async function statementsSent(
  { pool }: Pick<Database, 'pool'>,
  call: () => Promise<unknown>,
): Promise<string[]> {
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  const texts: string[] = [];
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first] = args as [string | { text: string }];
    texts.push(typeof first === 'string' ? first : first.text);
    return query.apply(this, args);
  };
  try {
    await call();
  } finally {
    prototype.query = query;
  }
  return texts;
}
