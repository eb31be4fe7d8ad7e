/** The memory plugin without HTTP: calls the built-in plugin in this process. */
import { pino } from 'pino';
import { startEngine } from '../../packages/server/dist/composition/start-engine.js';
import { readConfig } from '../../packages/server/dist/config/read-config.js';
import { BuiltInPlugin } from '../../packages/server/dist/engine/plugin/built-in-plugin.js';
import { serveParent } from './child.mjs';
import { takeTurn } from './turn.mjs';

/** @type {import('../../packages/server/dist/composition/start-engine.js').RunningEngine | undefined} */
let running;
/** @type {Record<string, (client: number, turn: number) => Promise<unknown>>} */
let operations = {};

serveParent(
  {
    /** @param {{ flags: Record<string, string>, clients: import('../plugin.mjs').PluginClient[], query: string }} input */
    async open({ flags, clients, query }) {
      running = await startEngine(readConfig(flags, {}), pino({ level: 'silent' }), { runJobs: false });
      const plugin = new BuiltInPlugin(running.engine);
      const actor = { userId: null, serviceId: 'loop', roles: [] };
      const call = { tenantId: 'loop', userId: '', actor, operation: 'benchmark', requestId: 'benchmark' };
      const common = /** @type {const} */ ({ kind: 'fact', source: 'agent' });
      operations = {
        async write(client, turn) {
          const { namespace, memories } = clients[client] ?? { namespace: '', memories: [] };
          const { id = '', content = '' } = memories[turn % memories.length] ?? {};
          await plugin.commit(call, namespace, { id, content, ...common });
        },
        search: (client) => plugin.search(call, { namespaces: [clients[client]?.namespace ?? ''], query, limit: 20 }),
      };
      for (const [index, { namespace, memories }] of clients.entries()) {
        await plugin.putNamespace(call, { name: namespace, kind: 'workspace', expiresAt: null, metadata: null });
        for (let turn = 0; turn < memories.length; turn++) await operations.write?.(index, turn);
      }
      const { serverVersion } = await running.engine.store.status();
      return { serverVersion };
    },

    /** @param {{ row?: string, operation: string, connections: number, seconds: number }} input */
    async turn({ row, operation, connections, seconds }) {
      const workers = Array.from({ length: connections }, (_, client) => {
        let turn = 0;
        return async () => {
          await operations[operation]?.(client, turn++);
        };
      });
      return takeTurn(row, seconds, workers);
    },
  },
  async () => running?.close(),
);
