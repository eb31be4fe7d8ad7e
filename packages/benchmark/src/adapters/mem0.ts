import type { Adapter, Found, MemorySystem, Place } from '../adapter.js';
import { type Capability, type Claim, claim, noClaim } from '../capabilities.js';

interface Mem0Memory {
  add(messages: { role: string; content: string }[], options: { userId: string }): Promise<{ results: Mem0Item[] }>;
  search(query: string, options: { topK: number; filters: object }): Promise<{ results: Mem0Item[] }>;
  getAll(options: { topK: number; filters: object }): Promise<{ results: Mem0Item[] }>;
  get(id: string): Promise<Mem0Item | null>;
  update(id: string, text: string): Promise<unknown>;
  delete(id: string): Promise<unknown>;
  deleteAll(options: { userId: string }): Promise<unknown>;
}

interface Mem0Item {
  id: string;
  memory: string;
}

const everything = 1_000_000;

const claims: Readonly<Record<Capability, Claim>> = {
  users: claim('docs.mem0.ai, Node quickstart: memories are added and searched with a `userId`.'),
  tenants: noClaim(
    'Scopes are `userId`, `agentId` and `runId`. Projects and organizations belong to the hosted platform.',
  ),
  scopedIds: noClaim('`get`, `update` and `delete` take the id of a memory and nothing else.'),
  restart: claim('docs.mem0.ai, Node quickstart: vectors and history are stored in SQLite by default.'),
  processes: noClaim('Vectors and history are SQLite files of the process.'),
  append: noClaim('`update` replaces the text of a memory.'),
  replace: claim('docs.mem0.ai, update memory: `update(memoryId, text)`.'),
  forget: claim('docs.mem0.ai, delete memory: for requests to forget and to comply with data deletion requests.'),
  forgetUser: claim('docs.mem0.ai, delete memory: `deleteAll({ userId })`.'),
  compact: noClaim('Nothing is said about the files of deleted memories.'),
  questions: claim('docs.mem0.ai, search memory.'),
  asOf: noClaim(
    '`timestamp` and `referenceDate` are refused by the open-source package: temporal features belong to the hosted platform.',
  ),
  knownAt: noClaim('`history(memoryId)` lists the changes of one memory.'),
  supersedes: noClaim('Extraction only adds: a changed statement is stored beside the earlier one.'),
  provenance: noClaim('A memory may say `attributedTo` user or assistant. It does not say how far to trust it.'),
};

const history =
  '`history(memoryId)` is documented: it lists the changes of a memory. Extraction also keeps the last ten messages. Neither is kept with `--set disableHistory=true`.';

const described = {
  documentation: 'https://docs.mem0.ai/open-source/node-quickstart',
  packages: ['mem0ai'],
  // Documented switch. Nothing outside this machine can be reached.
  environment: { MEM0_TELEMETRY: 'false' },
  remarks: {
    'isolation/patterns': 'A star in a filter is a documented wildcard, also as the value of `user_id`.',
    'erasure/rows': history,
    'erasure/user': history,
  },
} as const;

export const mem0: Adapter = {
  ...described,
  name: 'mem0',
  title: 'mem0, open source',
  settings:
    'The defaults of `new Memory()`: extraction by a language model, vectors and history in SQLite. Model and embedder are the stand-ins of the benchmark. Keeps no history with `--set disableHistory=true`.',
  storage: 'files',
  claims,
  open: (place) => openMem0(place, {}),
};

export const mem0Postgres: Adapter = {
  ...described,
  name: 'mem0-postgres',
  title: 'mem0, open source, with pgvector',
  settings: 'As `mem0`, with the vector store `pgvector`. History stays in SQLite, its default.',
  storage: 'postgres',
  claims: { ...claims, processes: claim('docs.mem0.ai, pgvector: vectors are in a PostgreSQL server.') },
  open: (place) =>
    openMem0(place, {
      vectorStore: {
        provider: 'pgvector',
        config: {
          connectionString: place.databaseUrl,
          collectionName: 'memories',
          // The dimension has two names: the configuration reads one, this store the other.
          dimension: place.dimensions,
          embeddingModelDims: place.dimensions,
        },
      },
    }),
};

async function openMem0(place: Place, configuration: object): Promise<MemorySystem> {
  const { Memory } = (await place.importPackage('mem0ai/oss')) as unknown as {
    Memory: new (configuration: object) => Mem0Memory;
  };
  const endpoint = { apiKey: 'local', baseURL: place.modelUrl };
  const memory = new Memory({
    embedder: { provider: 'openai', config: { ...endpoint, model: 'text-embedding-3-small' } },
    llm: { provider: 'openai', config: { ...endpoint, model: 'gpt-5-mini' } },
    ...configuration,
    ...(place.settings.disableHistory === 'true' ? { disableHistory: true } : {}),
  });
  const toFound = ({ results }: { results: Mem0Item[] }): Found[] =>
    results.map(({ id, memory: text }) => ({ id, text }));
  return {
    async remember({ user }, { text }) {
      const { results } = await memory.add([{ role: 'user', content: text }], { userId: user });
      // Nothing is added if the same text is stored already.
      return results[0]?.id ?? '';
    },
    recall: async ({ user }, query, limit) =>
      toFound(await memory.search(query, { topK: limit, filters: { user_id: user } })),
    list: async ({ user }) => toFound(await memory.getAll({ topK: everything, filters: { user_id: user } })),
    async replace(_, id, text) {
      await memory.update(id, text);
    },
    async forget(_, id) {
      await memory.delete(id);
    },
    async forgetUser({ user }) {
      await memory.deleteAll({ userId: user });
    },
    close: async () => undefined,
  };
}
