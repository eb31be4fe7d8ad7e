/** The SQL of documents without Memhall: the store's statements are recorded once per operation and user, then replayed. */
import { pino } from 'pino';
import { startEngine } from '../../packages/server/dist/composition/start-engine.js';
import { readConfig } from '../../packages/server/dist/config/read-config.js';
import { serveParent } from './child.mjs';
import { fillOps, operations, patch } from './document-operations.mjs';
import { flavours, record, textOf } from './statement-recorder.mjs';
import { takeTurn } from './turn.mjs';

/** @type {import('../../packages/server/dist/store/database.js').Database | undefined} */
let database;
/** @type {Map<string, import('./statement-recorder.mjs').Recording[]>} by operation, then user */
const recordings = new Map();

serveParent(
  {
    /**
     * Returns the statement texts per operation, and the version of the database.
     * @param {{ flags: Record<string, string>, users: string[], names: string[] }} input
     */
    async open({ flags, users, names }) {
      const running = await startEngine(readConfig({ ...flags, embedder: 'none' }, {}), pino({ level: 'silent' }));
      const { engine } = running;
      database = running.database;
      const { pool } = database;
      for (const name of names) recordings.set(name, []);
      for (const userId of users) {
        const actor = { userId, serviceId: null, roles: [] };
        const caller = {
          tenantId: 'loop',
          userId,
          actor,
          operation: 'documents.patch',
          requestId: 'benchmark-request',
        };
        await patch(engine, caller, 0, fillOps);
        for (const name of names) {
          const recorded = await record(pool, async () => operations[name]?.perform(engine, caller, 1));
          recordings.get(name)?.push(recorded);
        }
      }
      const statements = Object.fromEntries(
        names.map((name) => [name, recordings.get(name)?.[0]?.map((group) => group.map(textOf))]),
      );
      const { serverVersion } = await engine.store.status();
      return { serverVersion, poolSize: pool.options.max, statements };
    },

    /** @param {{ row?: string, flavour: string, operation: string, connections: number, seconds: number }} input */
    async turn({ row, flavour, operation, connections, seconds }) {
      const run = flavours[flavour];
      if (database === undefined || run === undefined) throw new Error(`not ready for ${flavour}`);
      const { pool } = database;
      const workers = Array.from({ length: connections }, (_, user) => async () => {
        const client = await pool.connect();
        await run(client, recordings.get(operation)?.[user] ?? []);
        client.release();
      });
      return takeTurn(row, seconds, workers);
    },
  },
  async () => database?.close(),
);
