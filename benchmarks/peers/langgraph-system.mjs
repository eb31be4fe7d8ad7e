/**
 * LangGraph's stores. Recall is by vector over the user's namespace. PostgresStore also has a mode "hybrid": cosine and
 * ts_rank over the value. Namespaces are matched by prefix, so all user ids here have the same length.
 */
import { randomUUID } from 'node:crypto';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';

const namespaceOf = (user) => ['memories', user];

export async function openSystem({ name, databaseUrl, embed }) {
  const embeddings = {
    embedQuery: async (text) => (await embed([text]))[0],
    embedDocuments: (texts) => embed(texts),
  };
  return name === 'langgraph-postgres' ? openPostgres(databaseUrl, embeddings) : openMemory(embeddings);
}

const toPut =
  (user) =>
  ({ text }) => ({ namespace: namespaceOf(user), key: randomUUID(), value: { text } });

function openMemory(embeddings) {
  const store = new InMemoryStore({ index: { dims: 384, embeddings, fields: ['text'] } });
  return {
    add: (user, items) => store.batch(items.map(toPut(user))),
    recall: {
      vector: async (user, { text }) => (await store.search(namespaceOf(user), { query: text, limit: 10 })).length,
    },
    close: async () => undefined,
  };
}

async function openPostgres(databaseUrl, embeddings) {
  const { PostgresStore } = await import('@langchain/langgraph-checkpoint-postgres/store');
  const store = new PostgresStore({
    connectionOptions: databaseUrl,
    index: { dims: 384, embed: embeddings, fields: ['text'] },
  });
  await store.setup();
  const search =
    (mode) =>
    async (user, { text }) =>
      (await store.search(namespaceOf(user), { query: text, limit: 10, mode })).length;
  return {
    add: (user, items) => store.batch(items.map(toPut(user))),
    recall: { vector: search('vector'), hybrid: search('hybrid') },
    close: () => store.stop(),
  };
}
