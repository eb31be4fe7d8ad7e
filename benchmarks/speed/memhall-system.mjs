import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const tenant = 'benchmark';

/**
 * Memhall in this process, as a library: `remember` and `recall` with the default settings.
 * @param {import('./systems.mjs').Place} place
 * @returns {Promise<import('./systems.mjs').System>}
 */
export async function openSystem({ directory, databaseUrl, root }) {
  const { openMemhall } = /** @type {typeof import('memhall')} */ (
    await import(pathToFileURL(join(root, 'packages/server/dist/index.js')).href)
  );
  const cacheMegabytes = process.env.MEMHALL_RECALL_CACHE_MB;
  const memhall = await openMemhall({
    dataDirectory: directory,
    embedder: 'local',
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(cacheMegabytes === undefined ? {} : { environment: { MEMHALL_RECALL_CACHE_MB: cacheMegabytes } }),
  });
  return {
    add: (user, items) =>
      memhall
        .as({ tenant, user })
        .rememberMany(
          items.map(({ text, vector }) => ({ content: text, kind: 'fact', ...(vector ? { embedding: vector } : {}) })),
        ),
    recall: {
      async hybrid(user, { text, vector }) {
        const found = await memhall
          .as({ tenant, user })
          .recall(text, { limit: 10, ...(vector ? { embedding: vector } : {}) });
        return found.length;
      },
    },
    async settle() {
      while ((await memhall.pendingEmbeddings(tenant)) > 0) await sleep(5);
    },
    close: () => memhall.close(),
  };
}
