/**
 * mem0's open-source Memory with `infer: false`: no language model reads the text. Its recall is hybrid: cosine and words,
 * both filtered by user, plus boosts for entities (`infer: false` stores none).
 * The store that mem0 calls "memory" is a SQLite file.
 */
import { join } from 'node:path';

export async function openSystem({ name, directory, databaseUrl, embed }) {
  process.env.MEM0_TELEMETRY = 'false';
  process.env.MEM0_DIR = directory;
  const { Memory } = await import('mem0ai/oss');
  const embeddings = {
    embedQuery: async (text) => (await embed([text]))[0],
    embedDocuments: (texts) => embed(texts),
  };
  const memory = new Memory({
    embedder: { provider: 'langchain', config: { model: embeddings, embeddingDims: 384 } },
    vectorStore:
      name === 'mem0-postgres'
        ? { provider: 'pgvector', config: { connectionString: databaseUrl, ...collection } }
        : { provider: 'memory', config: { dbPath: join(directory, 'vectors.db'), dimension: 384 } },
    // Never called, but required by the configuration.
    llm: { provider: 'openai', config: { apiKey: 'none', model: 'none' } },
    historyDbPath: join(directory, 'history.db'),
  });
  return {
    add: (user, items) =>
      memory.add(
        items.map(({ text }) => ({ role: 'user', content: text })),
        { userId: user, infer: false },
      ),
    recall: {
      async hybrid(user, { text }) {
        const { results } = await memory.search(text, { topK: 10, filters: { user_id: user } });
        return results.length;
      },
    },
    async close() {
      await memory.vectorStore?.close?.();
    },
  };
}

/** The dimension has two names: mem0 3.3 reads one in its configuration and the other in this store. */
const collection = { collectionName: 'memories', dimension: 384, embeddingModelDims: 384 };
