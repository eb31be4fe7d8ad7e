/**
 * The same SQL without Memhall. What Memhall's store sends for each operation is recorded once per user and key, then
 * replayed on a pool of the same size: the loop cannot drift from the server.
 */
import { pino } from 'pino';
import { readConfig } from '../../packages/server/dist/config/read-config.js';
import { getWorkingValue } from '../../packages/server/dist/engine/state/get-working-value.js';
import { putWorkingValue } from '../../packages/server/dist/engine/state/put-working-value.js';
import { startEngine } from '../../packages/server/dist/main.js';
import { answerParent } from './child.mjs';
import { takeTurn } from './turn.mjs';

/**
 * @typedef {import('pg').QueryConfig | string} Statement
 * @typedef {Statement[][]} Recording Groups: all statements of one were sent before any answer to them was awaited.
 */

/** @type {import('../../packages/server/dist/store/database.js').Database | undefined} */
let database;
/** @type {Record<string, Recording[][]>} by operation, user, key */
const recordings = { put: [], get: [] };

/**
 * @param {import('pg').Pool} pool
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Recording>}
 */
async function record(pool, work) {
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
 * Nothing depends on the answer to a COMMIT that was sent alone: a pipelining loop sends it with the rest.
 * @param {Recording} groups
 */
function joinEnd(groups) {
  const last = groups.at(-1);
  if (groups.length < 2 || last?.length !== 1 || textOf(last[0]) !== 'COMMIT') return groups;
  return [...groups.slice(0, -2), [...(groups.at(-2) ?? []), ...last]];
}

/** @param {Statement | undefined} statement */
function textOf(statement) {
  return typeof statement === 'object' ? statement.text : statement;
}

/** @type {Record<string, (client: import('pg').PoolClient, recording: Recording) => Promise<void>>} */
const flavours = {
  async sequential(client, recording) {
    for (const statement of recording.flat()) await client.query(/** @type {string} */ (statement));
  },
  async pipelined(client, recording) {
    for (const group of recording) {
      await Promise.all(group.map((statement) => client.query(/** @type {string} */ (statement))));
    }
  },
};

answerParent(
  {
    /**
     * Answers the texts of the statements per operation, and the database's version.
     * @param {{ flags: Record<string, string>, users: string[], keys: string[], value: import('@memhall/core').Json }} input
     */
    async open({ flags, users, keys, value }) {
      const running = await startEngine(readConfig({ ...flags, embedder: 'none' }, {}), pino({ level: 'silent' }));
      const { engine } = running;
      database = running.database;
      const { pool } = database;
      for (const userId of users) {
        const actor = { userId, serviceId: null, roles: [] };
        const caller = { tenantId: 'loop', userId, actor, operation: 'working.put', requestId: 'benchmark-request' };
        const puts = [];
        const gets = [];
        for (const key of keys) {
          const at = { planId: 'benchmark', key };
          const put = { ...at, value, ttlSeconds: undefined, precondition: { kind: /** @type {const} */ ('none') } };
          puts.push(await record(pool, () => putWorkingValue(engine, caller, put)));
          gets.push(await record(pool, () => getWorkingValue(engine, caller, at)));
        }
        recordings.put?.push(puts);
        recordings.get?.push(gets);
      }
      const texts = (/** @type {string} */ operation) =>
        recordings[operation]?.[0]?.[0]?.map((group) => group.map(textOf));
      const { serverVersion } = await engine.store.status();
      return { serverVersion, poolSize: pool.options.max, statements: { put: texts('put'), get: texts('get') } };
    },

    /** @param {{ row?: string, flavour: string, operation: string, connections: number, seconds: number }} input */
    async turn({ row, flavour, operation, connections, seconds }) {
      const run = flavours[flavour];
      if (database === undefined || run === undefined) throw new Error(`not ready for ${flavour}`);
      const { pool } = database;
      const workers = Array.from({ length: connections }, (_, user) => {
        const own = recordings[operation]?.[user] ?? [];
        let next = 0;
        return async () => {
          const client = await pool.connect();
          await run(client, own[next++ % own.length] ?? []);
          client.release();
        };
      });
      return takeTurn(row, seconds, workers);
    },
  },
  async () => database?.close(),
);
