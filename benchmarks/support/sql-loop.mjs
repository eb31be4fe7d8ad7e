/**
 * The same SQL without Memhall. The store's statements for each operation are recorded once per user and key, then
 * replayed on a pool of the same size, so the loop always matches the server.
 */
import { pino } from 'pino';
import { startEngine } from '../../packages/server/dist/composition/start-engine.js';
import { readConfig } from '../../packages/server/dist/config/read-config.js';
import { getWorkingValue, putWorkingValue } from '../../packages/server/dist/engine/state/working-values.js';
import { serveParent } from './child.mjs';
import { flavours, record, textOf } from './statement-recorder.mjs';
import { takeTurn } from './turn.mjs';

/** @typedef {import('./statement-recorder.mjs').Recording} Recording */

/** @type {import('../../packages/server/dist/store/database.js').Database | undefined} */
let database;
/** @type {Record<string, Recording[][]>} by operation, user, key */
const recordings = { put: [], get: [] };

serveParent(
  {
    /**
     * Returns the statement texts per operation, and the version of the database.
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
