// A memory plugin v1 that keeps everything in one file. No dependencies.
//
//   node examples/plugins/flat-file/plugin.mjs --port 9100 --file memories.jsonl
//   node examples/plugins/flat-file/plugin.mjs --socket /run/plugin.sock --file memories.jsonl
//
// It listens on this machine only, and one process at a time may have the file.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { MemoryStore } from './memory-store.mjs';
import { Refusal } from './refusal.mjs';
import { asId, asMembers, asMoment, asName, asOneOf, asVector, demand, optional, parseBody } from './requests.mjs';

const capabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'];
const namespaceKinds = /** @type {const} */ (['workspace', 'team', 'org', 'custom']);
const memoryKinds = /** @type {const} */ (['fact', 'summary', 'checkpoint']);
const sources = /** @type {const} */ (['agent', 'runtime', 'user']);
const largestBody = 1024 * 1024;

/** @typedef {{ status: number, body?: unknown }} Answer */
/** @typedef {(store: MemoryStore, part: string, body: () => import('./requests.mjs').Body) => Answer | Promise<Answer>} Handler */

/** @type {{ path: RegExp, methods: Record<string, Handler> }[]} */
const routes = [
  {
    path: /^\/v1\/health$/,
    methods: {
      GET: ({ isWorking }) =>
        isWorking
          ? { status: 200, body: { status: 'ok', version: '1', capabilities } }
          : { status: 503, body: { status: 'degraded', version: '1', capabilities: [] } },
    },
  },
  {
    path: /^\/v1\/namespaces\/([^/]*)$/,
    methods: {
      async PUT(store, part, read) {
        const name = asName(part);
        const body = read();
        const fields = {
          kind: asOneOf('kind', body.kind, namespaceKinds),
          ...optional(body, 'expires_at', asMoment),
          ...optional(body, 'metadata', (value) => asMembers('metadata', value)),
        };
        return { status: 200, body: await store.putNamespace(name, fields) };
      },
      async PATCH(store, part, read) {
        const name = asName(part);
        const { expires_at, metadata } = read();
        demand(
          expires_at !== undefined || metadata !== undefined,
          'Say what to change: expires_at, metadata, or both.',
        );
        const changes = {
          ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? undefined : asMoment(expires_at) }),
          ...(metadata === undefined ? {} : { metadata: keepIfAny(asMembers('metadata', metadata)) }),
        };
        return { status: 200, body: await store.changeNamespace(name, changes) };
      },
      async DELETE(store, part) {
        await store.deleteNamespace(asName(part));
        return { status: 204 };
      },
    },
  },
  {
    path: /^\/v1\/namespaces\/([^/]*)\/memories$/,
    methods: {
      async POST(store, part, read) {
        const name = asName(part);
        const body = read();
        const { content, pin = false } = body;
        demand(typeof content === 'string' && content.trim() !== '', 'content must be text, and not blank.');
        demand(typeof pin === 'boolean', 'pin must be true or false.');
        const fields = {
          ...optional(body, 'id', asId),
          content,
          kind: asOneOf('kind', body.kind, memoryKinds),
          source: asOneOf('source', body.source, sources),
          ...(pin ? { pin } : {}),
          ...optional(body, 'expires_at', asMoment),
          ...optional(body, 'propagation', (value) => asMembers('propagation', value)),
          ...optional(body, 'embedding', asVector),
        };
        return { status: 201, body: await store.write(name, fields) };
      },
    },
  },
  {
    path: /^\/v1\/search$/,
    methods: {
      POST(store, _, read) {
        const { namespaces, query = '', kinds, limit = 20, embedding } = read();
        demand(Array.isArray(namespaces) && namespaces.length > 0, 'namespaces must name at least one.');
        demand(typeof query === 'string', 'query must be text.');
        demand(kinds === undefined || Array.isArray(kinds), 'kinds must be a list.');
        demand(Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 100, 'limit must be 1 to 100.');
        const memories = store.search({
          namespaces: namespaces.map(asName),
          query: query.trim() === '' ? undefined : query,
          kinds: kinds?.map((kind) => asOneOf('kinds', kind, memoryKinds)),
          limit: Number(limit),
          embedding: embedding === undefined ? undefined : asVector(embedding),
        });
        return { status: 200, body: { memories } };
      },
    },
  },
  {
    path: /^\/v1\/memories\/([^/]*)$/,
    methods: {
      async DELETE(store, part, read) {
        await store.forget(asId(part), asName(read().requested_by_namespace));
        return { status: 204 };
      },
    },
  },
];

/** @param {object} members */
function keepIfAny(members) {
  return Object.keys(members).length === 0 ? undefined : members;
}

/** @param {MemoryStore} store @param {string} method @param {string} path @param {Buffer | undefined} bytes undefined: too large */
function handle(store, method, path, bytes) {
  const route = routes.find((one) => one.path.test(path));
  if (route === undefined) throw new Refusal(404, 'not_found', 'There is nothing at this path.');
  const handler = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
  if (handler === undefined) throw new Refusal(405, 'bad_request', 'This path does not have this method.');
  if (bytes === undefined) throw new Refusal(413, 'bad_request', 'A body may have 1 MiB at most.');
  return handler(store, decodePart(route.path.exec(path)?.[1] ?? ''), () => parseBody(bytes));
}

/** @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, 'bad_request', 'The path is not encoded as URLs are.');
  }
}

/** Reads to the end even what is too large: who is still sending would not see the answer. @param {AsyncIterable<Buffer>} stream */
async function readBytes(stream) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
  }
  return size > largestBody ? undefined : Buffer.concat(chunks);
}

/** @param {unknown} error @returns {Answer} */
function toAnswer(error) {
  if (error instanceof Refusal) return { status: error.status, body: { code: error.code, message: error.message } };
  console.error(error);
  return { status: 500, body: { code: 'internal', message: 'Something went wrong here.' } };
}

/** @param {MemoryStore} store */
function createPlugin(store) {
  return createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const { status, body } = await readBytes(request)
      .then((bytes) => handle(store, request.method ?? '', path, bytes))
      .catch(toAnswer);
    if (body === undefined) response.writeHead(status).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: 'memories.jsonl' },
    port: { type: 'string', default: '9100' },
    socket: { type: 'string' },
  },
});
const store = await MemoryStore.open(values.file);
const server = createPlugin(store);
const place = values.socket === undefined ? { port: Number(values.port), host: '127.0.0.1' } : { path: values.socket };
server.listen(place, () => {
  const address = server.address();
  const url = typeof address === 'string' ? `unix:${address}` : `http://127.0.0.1:${address?.port}`;
  console.log(JSON.stringify({ event: 'listening', url }));
});
process.once('SIGTERM', () => {
  server.close(() => store.close());
  server.closeIdleConnections();
});
