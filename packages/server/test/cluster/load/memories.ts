import { uuidv7 } from '@memhall/core';
import type { Call } from '../../support/server.js';
import { type LoadClient, occurrence, type Told } from './load-client.js';

/** Every memory of the load contains this word, so that one query finds all of them. */
const word = 'trains';
/** Kinds of memories that repeat what is stored elsewhere. */
const derivedKinds = new Set(['event', 'document', 'tier', 'summary']);

interface Way {
  /** How a memory is stored through this surface. */
  add(client: LoadClient, content: string): Call;
  /** The id of the stored memory, if the answer names it. */
  idOf(body: Told['body']): string | undefined;
}

const mcpCall = (name: string, args: Record<string, unknown>): Call => ({
  method: 'POST',
  path: '/mcp',
  headers: { accept: 'application/json, text/event-stream' },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});
const post = (path: string, body: Record<string, unknown>): Call => ({ method: 'POST', path, body });
const keyOf = ({ owner }: LoadClient) => ({ user_id: owner.user, user_key: owner.userKey });

const ways: Record<string, Way> = {
  oneMemory: { add: (_, content) => post('/v1/remember', { content }), idOf: (body) => body.memory.id },
  semantic: { add: (_, content) => post('/v1/memory/semantic', { content }), idOf: (body) => body.id },
  episodic: {
    add: (_, content) => post('/v1/memory/episodic', { agent_id: 'a1', role: 'user', content }),
    idOf: (body) => body.id,
  },
  gateway: {
    add: (client, content) =>
      post('/memories/add', {
        ...keyOf(client),
        session_id: `chat:${client.name}`,
        messages: [{ sender_id: client.owner.user, role: 'user', timestamp: Date.now(), content }],
      }),
    idOf: () => undefined,
  },
  mcp: {
    add: (_, content) => mcpCall('commit_memory', { content }),
    idOf: (body) => body.result.structuredContent.memory_id,
  },
};

interface Asked {
  call(client: LoadClient): Call;
  textsOf(body: Told['body']): string[];
}

const asked: Record<string, Asked> = {
  recall: {
    call: () => post('/v1/recall', { query: word, limit: 20 }),
    textsOf: (body) => body.results.map(({ text }: { text: string }) => text),
  },
  semantic: {
    call: () => post('/v1/memory/semantic/query', { query: word, top_k: 20 }),
    textsOf: (body) => body.entries.map(({ content }: { content: string }) => content),
  },
  gateway: {
    call: (client) => post('/memories/search', { ...keyOf(client), query: word, scope: ['all_user_memory'] }),
    textsOf: (body) => body.results.map(({ text }: { text: string }) => text),
  },
  mcp: {
    call: () => mcpCall('search_memory', { query: word, limit: 20 }),
    textsOf: (body) => body.result.structuredContent.memories.map(({ content }: { content: string }) => content),
  },
};

export const waysToAdd = Object.keys(ways);
export const waysToAsk = Object.keys(asked);

const objectOf = ({ ownerName }: LoadClient) => `${ownerName} memories`;

/** Ids of memories of an owner that were acknowledged, by content. */
export type KnownIds = Map<string, string>;

/** A message of the gateway has an id of its own there, so the order of words tells memories apart. */
export async function addMemory(client: LoadClient, way: string, known: KnownIds): Promise<void> {
  const content = `${client.ownerName} ${word} ${uuidv7()}`;
  const { add, idOf } = chosen(ways, way);
  const told = await client.call(add(client, content));
  client.record({ ...occurrence(told), object: objectOf(client), model: 'set', action: 'add', element: content });
  client.recordAudit(told);
  const id = told.outcome === 'done' ? idOf(told.body) : undefined;
  if (id !== undefined) known.set(content, id);
}

export async function removeMemory(client: LoadClient, known: KnownIds): Promise<void> {
  const [first] = known;
  if (first === undefined) return;
  const [content, id] = first;
  known.delete(content);
  const told = await client.call({ method: 'DELETE', path: `/v1/memories/${id}` });
  client.record({ ...occurrence(told), object: objectOf(client), model: 'set', action: 'remove', element: content });
  client.recordAudit(told);
}

/** The messages of the open episode become an event that repeats them. If there are none, nothing is written. */
export async function flushEpisode(client: LoadClient): Promise<void> {
  const told = await client.call(post('/memories/flush', { ...keyOf(client), session_id: `chat:${client.name}` }));
  if (told.body?.status !== 'no_extraction') client.recordAudit(told);
}

export async function askForMemories(client: LoadClient, way: string): Promise<void> {
  const { call, textsOf } = chosen(asked, way);
  const told = await client.call(call(client));
  if (told.outcome !== 'done') return;
  const elements = [...new Set(textsOf(told.body).filter((text) => text.includes(` ${word} `)))];
  const common = { ...occurrence(told), object: objectOf(client), model: 'set', action: 'read' } as const;
  client.record({ ...common, elements, isWhole: false });
}

/** Reads all memories, page by page. Returns false if a page did not come. */
export async function listMemories(client: LoadClient): Promise<boolean> {
  const elements: string[] = [];
  let first: Told | undefined;
  for (let cursor = ''; ; ) {
    const told = await client.call({ path: `/v1/memories?limit=100${cursor && `&cursor=${cursor}`}` });
    if (told.outcome !== 'done') return false;
    first ??= told;
    for (const { kind, content } of told.body.memories) if (!derivedKinds.has(kind)) elements.push(content);
    cursor = told.body.next_cursor ?? '';
    if (cursor !== '') continue;
    const times = { startedMs: first.startedMs, endedMs: told.endedMs };
    const common = { ...occurrence(told), ...times, object: objectOf(client), model: 'set', action: 'read' } as const;
    client.record({ ...common, elements, isWhole: true });
    return true;
  }
}

const notesOf = ({ owner }: LoadClient) => ({ workspace_id: owner.user, tier: 'pins' });
const notesObject = ({ ownerName }: LoadClient) => `${ownerName} pins`;

/** Adds a line to notes, or is refused if they are full. */
export async function appendNote(client: LoadClient): Promise<void> {
  const element = `${client.ownerName} ${uuidv7()}`;
  const told = await client.call(post('/v1/provider/retain', { ...notesOf(client), content: element, mode: 'append' }));
  client.record({ ...occurrence(told), object: notesObject(client), model: 'set', action: 'add', element });
}

export async function readNotes(client: LoadClient): Promise<boolean> {
  const told = await client.call(post('/v1/provider/read', notesOf(client)));
  if (told.outcome !== 'done') return false;
  const elements = told.body.content.split('\n').filter((line: string) => line !== '');
  const common = { ...occurrence(told), object: notesObject(client), model: 'set', action: 'read' } as const;
  client.record({ ...common, elements, isWhole: true });
  return true;
}

function chosen<T>(table: Record<string, T>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
