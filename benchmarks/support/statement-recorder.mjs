/** Records the statements that Memhall's store sends for an operation, so that a plain loop can send the same. */

/**
 * @typedef {import('pg').QueryConfig | string} Statement
 * @typedef {Statement[][]} Recording Groups of statements that were sent without waiting for a response in between.
 */

/**
 * @param {import('pg').Pool} pool
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Recording>}
 */
export async function record(pool, work) {
  /** @type {Recording} */
  const groups = [];
  let answered = true;
  const watch = (/** @type {import('pg').PoolClient} */ client) => {
    const query = client.query.bind(client);
    const watched = (/** @type {Statement} */ statement) => {
      if (answered) groups.push([]);
      answered = false;
      groups.at(-1)?.push(statement);
      const result = query(/** @type {string} */ (statement));
      const note = () => {
        answered = true;
      };
      result.then(note, note);
      return result;
    };
    Object.assign(client, { query: watched });
  };
  const unwatch = (/** @type {unknown} */ _error, /** @type {import('pg').PoolClient} */ client) =>
    Reflect.deleteProperty(client, 'query');
  const released = new Promise((done) => pool.once('release', done));
  pool.on('acquire', watch);
  pool.on('release', unwatch);
  try {
    await work();
    await released;
  } finally {
    pool.off('acquire', watch);
    pool.off('release', unwatch);
  }
  return joinEnd(groups);
}

/**
 * Joins a COMMIT that was sent alone with the group before it: nothing depends on its response, so a pipelining loop
 * sends them together.
 * @param {Recording} groups
 */
function joinEnd(groups) {
  const last = groups.at(-1);
  if (groups.length < 2 || last?.length !== 1 || textOf(last[0]) !== 'COMMIT') return groups;
  return [...groups.slice(0, -2), [...(groups.at(-2) ?? []), ...last]];
}

/** @param {Statement | undefined} statement */
export function textOf(statement) {
  return typeof statement === 'object' ? statement.text : statement;
}

/** @type {Record<string, (client: import('pg').PoolClient, recording: Recording) => Promise<void>>} */
export const flavours = {
  async sequential(client, recording) {
    for (const statement of recording.flat()) await client.query(/** @type {string} */ (statement));
  },
  async pipelined(client, recording) {
    for (const group of recording) {
      await Promise.all(group.map((statement) => client.query(/** @type {string} */ (statement))));
    }
  },
};
