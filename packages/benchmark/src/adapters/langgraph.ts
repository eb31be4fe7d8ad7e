import { randomUUID } from 'node:crypto';
import type { Adapter, Found, MemorySystem, Owner, Place } from '../adapter.js';
import { claim, noClaim } from '../capabilities.js';
import { embedOver } from './embed-over.js';

interface Item {
  key: string;
  value: { text: string };
}

interface Store {
  setup(): Promise<void>;
  put(namespace: string[], key: string, value: object): Promise<void>;
  get(namespace: string[], key: string): Promise<Item | null>;
  delete(namespace: string[], key: string): Promise<void>;
  search(namespace: string[], options: { query?: string; limit: number }): Promise<Item[]>;
  stop(): Promise<void>;
}

const everything = 1_000_000;

export const langgraphPostgres: Adapter = {
  name: 'langgraph-postgres',
  title: "LangGraph's PostgresStore",
  settings:
    'With an index for search by meaning. The namespace is `[tenant, user, "memories"]`: the documentation puts the user first and "memories" last.',
  documentation: 'https://docs.langchain.com/oss/javascript/langgraph/stores',
  packages: ['@langchain/langgraph-checkpoint-postgres', '@langchain/langgraph-checkpoint'],
  storage: 'postgres',
  claims: {
    users: claim('Stores: memories are namespaced by a tuple such as `[userId, "memories"]`.'),
    tenants: claim('Stores: the namespace can have any length and represent anything.'),
    scopedIds: claim('Stores: `get`, `put` and `delete` take the namespace and the key.'),
    restart: claim('Stores: for production, a persistent store such as PostgresStore.'),
    processes: claim('Stores: in a PostgreSQL server.'),
    append: noClaim('`put` replaces the value of a key, without a condition.'),
    replace: claim('Stores: `put` with the same key.'),
    forget: claim('Stores: `delete(namespace, key)`.'),
    forgetUser: noClaim('Items are deleted key by key; `listNamespaces` and `search` find them.'),
    compact: noClaim('Nothing is said about the files of deleted items.'),
    questions: claim('Stores: search by meaning, with an index.'),
    asOf: noClaim('Items have `createdAt` and `updatedAt`, no history.'),
    knownAt: noClaim('Items have `createdAt` and `updatedAt`, no history. Checkpointers keep the states of a thread.'),
    supersedes: noClaim('What a value says, and which key to overwrite, is up to the program.'),
    provenance: noClaim('A value is any object. Who said it is up to the program.'),
  },
  open,
};

async function open({ importPackage, databaseUrl, modelUrl, dimensions }: Place): Promise<MemorySystem> {
  const { PostgresStore } = (await importPackage('@langchain/langgraph-checkpoint-postgres/store')) as unknown as {
    PostgresStore: new (options: object) => Store;
  };
  const embed = embedOver(modelUrl);
  const store = new PostgresStore({
    connectionOptions: databaseUrl,
    index: {
      dims: dimensions,
      embed: { embedDocuments: embed, embedQuery: async (text: string) => (await embed([text]))[0] },
      fields: ['text'],
    },
  });
  await store.setup();
  const namespaceOf = ({ tenant, user }: Owner): string[] => [tenant, user, 'memories'];
  const toFound = ({ key, value }: Item): Found => ({ id: key, text: value.text });
  return {
    async remember(owner, { text }) {
      const key = randomUUID();
      await store.put(namespaceOf(owner), key, { text });
      return key;
    },
    recall: async (owner, query, limit) => (await store.search(namespaceOf(owner), { query, limit })).map(toFound),
    list: async (owner) => (await store.search(namespaceOf(owner), { limit: everything })).map(toFound),
    read: async (owner, id) => (await store.get(namespaceOf(owner), id))?.value.text ?? null,
    replace: (owner, id, text) => store.put(namespaceOf(owner), id, { text }),
    forget: (owner, id) => store.delete(namespaceOf(owner), id),
    close: () => store.stop(),
  };
}
