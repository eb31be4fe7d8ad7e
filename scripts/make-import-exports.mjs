// Makes the exports in packages/server/test-data/imports with the real tools, which are no dependencies of this repository:
//   npm install --prefix DIR mem0ai@3.3.1 @modelcontextprotocol/server-memory@2026.8.31 \
//     @langchain/langgraph-checkpoint@1.1.5 @langchain/langgraph-checkpoint-postgres@1.0.5 @langchain/core better-sqlite3
//   node scripts/make-import-exports.mjs DIR [postgres://…]
// mem0 asks a model, for which a server here answers in the format of OpenAI. The database is emptied of LangGraph's tables.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [directory = '.', databaseUrl] = process.argv.slice(2);
const output = new URL('../packages/server/test-data/imports/', import.meta.url);
const require = createRequire(join(resolve(directory), 'package.json'));
const load = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href);
const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(new URL(name, output), text);
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;

mkdirSync(output, { recursive: true });
await makeMem0();
await makeMcpMemory();
await makeLangGraph();

async function makeMem0() {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const asked = JSON.parse(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url?.endsWith('/embeddings') ? embed(asked) : answer(asked)));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const baseURL = `http://127.0.0.1:${port}/v1`;
  process.env.MEM0_TELEMETRY = 'false';
  const { Memory } = await load('mem0ai/oss');
  const dbPath = join(resolve(directory), 'mem0.db');
  rmSync(dbPath, { force: true });
  const memory = new Memory({
    embedder: {
      provider: 'openai',
      config: { apiKey: 'none', model: 'text-embedding-3-small', baseURL, embeddingDims: 8 },
    },
    llm: { provider: 'openai', config: { apiKey: 'none', model: 'gpt-4o-mini', baseURL } },
    vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension: 8, dbPath } },
    disableHistory: true,
  });
  await memory.add('I am Alice and I am allergic to peanuts. I live in Bergen.', {
    userId: 'alice',
    metadata: { app: 'planner' },
  });
  await memory.add([{ role: 'user', content: 'Please remember that I prefer trains to planes.' }], {
    userId: 'alice',
    infer: false,
  });
  await memory.add('Bob is learning to sail.', { userId: 'bob', agentId: 'coach', infer: false });
  const { results } = await memory.getAll({ filters: { user_id: 'alice' }, topK: 100 });
  const all = { results: [...results, ...(await memory.getAll({ filters: { user_id: 'bob' }, topK: 100 })).results] };
  const first = results.find((/** @type {{ memory: string }} */ { memory: text }) => text.includes('Bergen'));
  if (first !== undefined) {
    await memory.update(first.id, 'Alice lives in Oslo');
    const { results: updated } = await memory.getAll({ filters: { user_id: 'alice' }, topK: 100 });
    write('mem0-3.3.1-updated.json', json({ results: updated }));
  }
  write('mem0-3.3.1.json', json(all));
  server.close();
}

/** @param {{ input: string | string[] }} asked */
function embed({ input }) {
  const texts = [input].flat();
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: 8 }, (_, place) => ((text.length * (place + 3)) % 17) / 17 + 0.01),
  }));
  return { object: 'list', model: 'text-embedding-3-small', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** @param {{ model: string }} asked */
function answer({ model }) {
  const facts = ['Alice is allergic to peanuts', 'Alice lives in Bergen'];
  const content = JSON.stringify({
    facts,
    memory: facts.map((text, index) => ({ id: String(index), text, event: 'ADD', attributed_to: 'user' })),
  });
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
  return { id: 'answer', object: 'chat.completion', created: 1, model, choices, usage: { total_tokens: 1 } };
}

/** Talks to the server over MCP, so that it writes the file itself. */
async function makeMcpMemory() {
  const file = join(resolve(directory), 'memory.jsonl');
  rmSync(file, { force: true });
  const program = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, MEMORY_FILE_PATH: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const call = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((done, fail) => {
      id += 1;
      waiting.set(id, (/** @type {any} */ message) =>
        message.error ? fail(new Error(message.error.message)) : done(message.result),
      );
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'make-exports', version: '1' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const tool = (/** @type {string} */ name, /** @type {object} */ args) =>
    call('tools/call', { name, arguments: args });
  await tool('create_entities', {
    entities: [
      { name: 'Anna_Berg', entityType: 'person', observations: ['Speaks Norwegian', 'Plays the cello on Mondays'] },
      { name: 'Fjord_Labs', entityType: 'organization', observations: ['Builds sensors for boats'] },
      { name: 'Empty_Place', entityType: 'place', observations: [] },
    ],
  });
  await tool('create_relations', { relations: [{ from: 'Anna_Berg', to: 'Fjord_Labs', relationType: 'works_at' }] });
  await tool('add_observations', {
    observations: [{ entityName: 'Anna_Berg', contents: ['Takes the ferry to work'] }],
  });
  child.kill();
  write('mcp-memory-2026.8.31.jsonl', readFileSync(file, 'utf8'));
}

async function makeLangGraph() {
  const { InMemoryStore } = await load('@langchain/langgraph-checkpoint');
  const fill = async (/** @type {any} */ store) => {
    await store.put(['memories', 'alice'], 'trains', { text: 'Alice prefers trains to planes.', importance: 3 });
    await store.put(['memories', 'alice'], 'diet', {
      kind: 'Memory',
      content: { content: 'Alice does not eat fish.' },
    });
    await store.put(['profiles', 'alice'], 'main', { city: 'Bergen', language: 'Norwegian' });
    await store.put(['memories', 'alice'], 'odd', { nested: { deep: [1, 2, 3] } });
  };
  const store = new InMemoryStore();
  await fill(store);
  write('langgraph-checkpoint-1.1.5.json', json(await store.search([], { limit: 1000 })));
  if (databaseUrl === undefined) return;
  const { PostgresStore } = await load('@langchain/langgraph-checkpoint-postgres/store');
  const { default: pg } = await load('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('DROP TABLE IF EXISTS store, store_vectors, store_migrations, vector_migrations CASCADE');
  const postgres = PostgresStore.fromConnString(databaseUrl);
  await postgres.setup();
  await fill(postgres);
  const { rows } = await client.query(
    'SELECT row_to_json(store)::text AS line FROM store ORDER BY namespace_path, key',
  );
  write(
    'langgraph-checkpoint-postgres-1.0.5.jsonl',
    rows.map((/** @type {{ line: string }} */ { line }) => `${line}\n`).join(''),
  );
  await postgres.stop?.();
  await client.end();
}
