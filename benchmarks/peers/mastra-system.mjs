/**
 * Mastra's Memory: messages in a storage, their vectors in a vector store. Recall searches by vector, filtered by
 * resource (the user), and then reads the matching messages. A thread holds a hundred messages.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

const perThread = 100;

export async function openSystem({ name, directory, databaseUrl, embed }) {
  process.env.MASTRA_TELEMETRY_DISABLED = '1';
  const { Memory } = await import('@mastra/memory');
  const stores = name === 'mastra-postgres' ? await openPostgres(databaseUrl) : await openLibsql(directory);
  await stores.storage.init();
  const memory = new Memory({
    ...stores,
    embedder: toEmbeddingModel(embed),
    options: { lastMessages: false, semanticRecall: { topK: 10, messageRange: 0, scope: 'resource' } },
  });
  const threadOf = await createThreads(memory);
  return {
    async add(user, items) {
      const threadId = await threadOf(user, items.length);
      await memory.saveMessages({ messages: items.map(({ text }) => toMessage(text, threadId, user)), format: 'v2' });
    },
    recall: {
      async vector(user, { text }) {
        const threadId = `${user}-thread-0`;
        const selectBy = { last: false, vectorSearchString: text };
        return (await memory.query({ threadId, resourceId: user, selectBy })).messagesV2.length;
      },
    },
    close: () => stores.close(),
  };
}

async function openPostgres(connectionString) {
  const { PgVector, PostgresStore } = await import('@mastra/pg');
  const storage = new PostgresStore({ connectionString });
  const vector = new PgVector({ connectionString });
  return {
    storage,
    vector,
    async close() {
      await vector.disconnect();
      await storage.close();
    },
  };
}

async function openLibsql(directory) {
  const { LibSQLStore, LibSQLVector } = await import('@mastra/libsql');
  const url = `file:${join(directory, 'memory.db')}`;
  return {
    storage: new LibSQLStore({ url }),
    vector: new LibSQLVector({ connectionUrl: url }),
    close: async () => undefined,
  };
}

/** Returns a function that picks the thread for a user's next messages and creates it if it is new. */
async function createThreads(memory) {
  const used = new Map();
  const made = new Map();
  return async (user, count) => {
    const before = used.get(user) ?? 0;
    used.set(user, before + count);
    const threadId = `${user}-thread-${Math.floor(before / perThread)}`;
    const thread = { id: threadId, resourceId: user, title: threadId, createdAt: new Date(), updatedAt: new Date() };
    if (!made.has(threadId)) made.set(threadId, memory.saveThread({ thread }));
    await made.get(threadId);
    return threadId;
  };
}

function toMessage(text, threadId, resourceId) {
  const content = { format: 2, parts: [{ type: 'text', text }], content: text };
  return { id: randomUUID(), role: 'user', content, threadId, resourceId, createdAt: new Date(), type: 'text' };
}

/** Wraps `embed` as an AI SDK embedding model. */
function toEmbeddingModel(embed) {
  return {
    specificationVersion: 'v2',
    provider: 'benchmark',
    modelId: 'minilm',
    maxEmbeddingsPerCall: 1000,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => ({ embeddings: await embed(values) }),
  };
}
