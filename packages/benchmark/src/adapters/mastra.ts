import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Adapter, Found, MemorySystem, Place } from '../adapter.js';
import { type Capability, type Claim, claim, noClaim } from '../capabilities.js';

interface Message {
  id: string;
  role: string;
  createdAt: Date;
  threadId: string;
  resourceId: string;
  content: { format: 2; parts: { type: string; text?: string }[] };
}

interface MastraMemory {
  createThread(thread: { threadId: string; resourceId: string; title: string }): Promise<unknown>;
  saveMessages(given: { messages: Message[] }): Promise<unknown>;
  recall(given: object): Promise<{ messages: Message[] }>;
  listMessagesByResourceId(given: object): Promise<{ messages: Message[] }>;
  updateMessages(given: { messages: { id: string; content: Message['content'] }[] }): Promise<unknown>;
  deleteMessages(ids: string[]): Promise<void>;
  settled(): Promise<void>;
}

interface Stores {
  storage: { init(): Promise<void>; close?(): Promise<void> };
  vector: { disconnect?(): Promise<void> };
}

type Constructor<T> = new (options: object) => T;

const claims: Readonly<Record<Capability, Claim>> = {
  users: claim('Memory overview: a resource is the user or entity that owns threads.'),
  tenants: noClaim('Scopes are `resourceId` and `threadId`.'),
  scopedIds: noClaim(
    '`deleteMessages` and `updateMessages` take ids of messages and nothing else; recall checks that a thread belongs to the resource.',
  ),
  restart: claim('Storage: messages and vectors are kept in a database.'),
  processes: noClaim('LibSQL storage: a file is for development; a server or PostgreSQL for production.'),
  append: noClaim('Messages are replaced. Working memory is rewritten whole by the agent.'),
  replace: claim('Memory class: `updateMessages` keeps the vectors in sync.'),
  forget: claim('Message history: `deleteMessages`.'),
  forgetUser: noClaim('Threads are deleted one by one with `deleteThread`.'),
  compact: noClaim('Nothing is said about the files of deleted messages.'),
  questions: claim('Semantic recall: search of earlier messages by meaning.'),
  asOf: noClaim('Messages have the time at which they were created.'),
  knownAt: noClaim('Messages have the time at which they were created.'),
  supersedes: noClaim('Messages are a log. Working memory and observational memory are rewritten by a language model.'),
  provenance: noClaim('Messages have a role. Results of tools are parts of messages of the assistant.'),
};

const described = {
  documentation: 'https://mastra.ai/docs/memory/semantic-recall',
  environment: { MASTRA_TELEMETRY_DISABLED: '1' },
} as const;
const settings =
  '`semanticRecall` over all threads of a resource, without neighbours, and no recent messages, so that only what was found counts.';

export const mastraLibsql: Adapter = {
  ...described,
  name: 'mastra-libsql',
  title: 'Mastra memory, LibSQL',
  settings,
  packages: ['@mastra/memory', '@mastra/core', '@mastra/libsql'],
  storage: 'files',
  claims,
  open: (place) =>
    open(place, async () => {
      const { LibSQLStore, LibSQLVector } = (await place.importPackage('@mastra/libsql')) as unknown as {
        LibSQLStore: Constructor<Stores['storage']>;
        LibSQLVector: Constructor<Stores['vector']>;
      };
      const url = `file:${join(place.directory, 'local.db')}`;
      return {
        storage: new LibSQLStore({ id: 'agent-storage', url }),
        vector: new LibSQLVector({ id: 'agent-vector', url }),
      };
    }),
};

export const mastraPostgres: Adapter = {
  ...described,
  name: 'mastra-postgres',
  title: 'Mastra memory, PostgreSQL',
  settings,
  packages: ['@mastra/memory', '@mastra/core', '@mastra/pg'],
  storage: 'postgres',
  claims: { ...claims, processes: claim('Storage: in a PostgreSQL server.') },
  open: (place) =>
    open(place, async () => {
      const { PostgresStore, PgVector } = (await place.importPackage('@mastra/pg')) as unknown as {
        PostgresStore: Constructor<Stores['storage']>;
        PgVector: Constructor<Stores['vector']>;
      };
      const connectionString = place.databaseUrl;
      return {
        storage: new PostgresStore({ id: 'agent-storage', connectionString }),
        vector: new PgVector({ id: 'agent-vector', connectionString }),
      };
    }),
};

async function open(place: Place, openStores: () => Promise<Stores>): Promise<MemorySystem> {
  const { Memory } = (await place.importPackage('@mastra/memory')) as unknown as { Memory: Constructor<MastraMemory> };
  const { ModelRouterEmbeddingModel } = (await place.importPackage('@mastra/core/llm')) as unknown as {
    ModelRouterEmbeddingModel: Constructor<object>;
  };
  const stores = await openStores();
  await stores.storage.init();
  const model = { providerId: 'openai', modelId: 'text-embedding-3-small', url: place.modelUrl, apiKey: 'local' };
  const semanticRecall = { topK: 10, messageRange: 0, scope: 'resource' };
  const memory = new Memory({
    ...stores,
    embedder: new ModelRouterEmbeddingModel(model),
    options: { lastMessages: false, semanticRecall },
  });
  const threads = new Map<string, Promise<unknown>>();
  /** A user has a thread per conversation. */
  const threadOf = async (user: string, session = 'main'): Promise<string> => {
    const threadId = `${user} ${session}`;
    const made = threads.get(threadId) ?? memory.createThread({ threadId, resourceId: user, title: session });
    threads.set(threadId, made);
    await made;
    return threadId;
  };
  return {
    async remember({ user }, { text, session }) {
      const id = randomUUID();
      const threadId = await threadOf(user, session);
      const about = { id, threadId, resourceId: user, role: 'user', createdAt: new Date() };
      await memory.saveMessages({ messages: [{ ...about, content: contentOf(text) }] });
      return id;
    },
    async recall({ user }, query, limit) {
      const threadId = await threadOf(user);
      const threadConfig = { lastMessages: false, semanticRecall: { ...semanticRecall, topK: limit } };
      const given = { threadId, resourceId: user, vectorSearchString: query, threadConfig };
      return (await memory.recall(given)).messages.map(toFound);
    },
    async list({ user }) {
      const { messages } = await memory.listMessagesByResourceId({ resourceId: user, perPage: false });
      return messages.map(toFound);
    },
    async replace(_, id, text) {
      await memory.updateMessages({ messages: [{ id, content: contentOf(text) }] });
    },
    async forget(_, id) {
      await memory.deleteMessages([id]);
    },
    settle: () => memory.settled(),
    async close() {
      await memory.settled();
      await stores.vector.disconnect?.();
      await stores.storage.close?.();
    },
  };
}

function contentOf(text: string): Message['content'] {
  return { format: 2, parts: [{ type: 'text', text }] };
}

function toFound({ id, content }: Message): Found {
  return { id, text: content.parts.map(({ text = '' }) => text).join('') };
}
