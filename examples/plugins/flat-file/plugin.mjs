// A memory plugin v1 that stores everything in one file, without dependencies.
//
//   node examples/plugins/flat-file/plugin.mjs --port 9100 --file memories.jsonl
//   node examples/plugins/flat-file/plugin.mjs --socket /run/plugin.sock --file memories.jsonl
//
// It listens only on this machine and requires the token in PLUGIN_TOKEN, if set. Only one process may use the file.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { MemoryStore } from './memory-store.mjs';
import { demand, ifGiven, parseBody, refuse, to } from './requests.mjs';

const capabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'];
const memoryKinds = ['fact', 'summary', 'checkpoint'];
const largestBody = 1024 * 1024;

/** Handlers get the path part that `*` matched, and a function that reads the body. @typedef {{ status: number, body?: unknown }} Answer
 * @type {Record<string, Record<string, (part: string, read: () => Record<string, unknown>) => Answer>>} */
const routes = {
  '/v1/health': {
    GET() {
      if (store.isWorking) return { status: 200, body: { status: 'ok', version: '1', capabilities } };
      return { status: 503, body: { status: 'degraded', version: '1', capabilities: [] } };
    },
  },
  '/v1/namespaces/*': {
    PUT(part, read) {
      const { kind, expires_at, metadata } = read();
      const body = store.putNamespace(to.name(part), {
        kind: to.oneOf(kind, ['workspace', 'team', 'org', 'custom']),
        expires_at: ifGiven(expires_at, to.moment),
        metadata: ifGiven(metadata, to.object),
      });
      return { status: 200, body };
    },
    PATCH(part, read) {
      const { expires_at, metadata } = read();
      demand(expires_at !== undefined || metadata !== undefined, 'Say what to change: expires_at, metadata, or both.');
      const body = store.changeNamespace(to.name(part), {
        ...(expires_at === undefined ? {} : { expires_at: ifGiven(expires_at, to.moment) }),
        ...(metadata === undefined ? {} : { metadata: to.object(metadata) }),
      });
      return { status: 200, body };
    },
    DELETE: (part) => ({ status: 204, body: store.deleteNamespace(to.name(part)) }),
  },
  '/v1/namespaces/*/memories': {
    POST(part, read) {
      const { id, content, kind, source, pin = false, expires_at, propagation, embedding } = read();
      demand(typeof content === 'string' && content.trim() !== '', 'content must be text, and not blank.');
      demand(typeof pin === 'boolean', 'pin must be true or false.');
      const body = store.write(to.name(part), ifGiven(id, to.id), {
        content,
        kind: to.oneOf(kind, memoryKinds),
        source: to.oneOf(source, ['agent', 'runtime', 'user']),
        pin: pin || undefined,
        expires_at: ifGiven(expires_at, to.moment),
        propagation: ifGiven(propagation, to.object),
        embedding: ifGiven(embedding, to.vector),
      });
      return { status: 201, body };
    },
  },
  '/v1/search': {
    POST(_part, read) {
      const { namespaces, query = '', kinds, limit = 20, embedding } = read();
      demand(Array.isArray(namespaces) && namespaces.length > 0, 'namespaces must contain at least one namespace.');
      demand(typeof query === 'string', 'query must be text.');
      demand(kinds === undefined || Array.isArray(kinds), 'kinds must be a list.');
      demand(typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 100, 'limit: 1 to 100.');
      const memories = store.search({
        namespaces: namespaces.map((name) => to.name(name)),
        query: query.trim() === '' ? undefined : query,
        kinds: kinds?.map((kind) => to.oneOf(kind, memoryKinds)),
        limit,
        embedding: ifGiven(embedding, to.vector),
      });
      return { status: 200, body: { memories } };
    },
  },
  '/v1/memories/*': {
    DELETE: (part, read) => ({
      status: 204,
      body: store.forget(to.id(part), to.name(read().requested_by_namespace)),
    }),
  },
};

const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();

/** @param {import('node:http').IncomingMessage} request */
async function answer(request) {
  const bytes = await readBytes(request);
  const { authorization = '' } = request.headers;
  const isAllowed = token === undefined || timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
  if (!isAllowed) refuse(401, 'forbidden', 'Send the shared token.');
  const path = request.url?.replace(/\?.*/, '') ?? '';
  const [, start = path, part, rest] = /^(\/v1\/(?:namespaces|memories)\/)([^/]*)(.*)$/.exec(path) ?? [];
  const methods = new Map(Object.entries(routes)).get(part === undefined ? path : `${start}*${rest}`);
  if (methods === undefined) return refuse(404, 'not_found', 'There is nothing at this path.');
  const handler = new Map(Object.entries(methods)).get(request.method ?? '');
  if (handler === undefined) return refuse(405, 'bad_request', 'This path does not have this method.');
  if (bytes === undefined) return refuse(413, 'bad_request', 'The body must not exceed 1 MiB.');
  return handler(decodeURIComponent(part ?? ''), () => parseBody(bytes));
}

/** Reads even a too large body to its end: a client that is still sending would not see the response. @param {AsyncIterable<Buffer>} stream */
async function readBytes(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
  }
  return size > largestBody ? undefined : Buffer.concat(chunks);
}

/** @param {{ answer?: Answer }} error @returns {Answer} */
function toAnswer(error) {
  if (error.answer !== undefined) return error.answer;
  if (error instanceof URIError)
    return { status: 400, body: { code: 'bad_request', message: 'The path is malformed.' } };
  console.error(error);
  return { status: 500, body: { code: 'internal', message: 'An internal error occurred.' } };
}

const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { file: text, port: text, socket: text } });
const token = process.env.PLUGIN_TOKEN;
const store = new MemoryStore(values.file ?? 'memories.jsonl');
const server = createServer(async (request, response) => {
  const { status, body } = await answer(request).catch(toAnswer);
  const json = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' }).end(json);
});
server.listen(values.socket ?? { port: Number(values.port ?? 9100), host: '127.0.0.1' }, () => {
  const address = server.address();
  const url = typeof address === 'string' ? `unix:${address}` : `http://127.0.0.1:${address?.port}`;
  console.log(JSON.stringify({ event: 'listening', url }));
});
process.once('SIGTERM', () => server.close());
