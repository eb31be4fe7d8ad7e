import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { demand, ifGiven, parseBody, refuse, to } from './requests.mjs';

const memoryKinds = ['fact', 'summary', 'checkpoint'];
const largestBody = 1024 * 1024;

/** Handlers get the path part that `*` matched. @type {(store: import('../store.js').Store, capabilities: string[]) => Record<string, Record<string, import('../store.js').Handler>>} */
const routesOf = (store, capabilities) => ({
  '/v1/health': {
    async GET() {
      if (await store.isWorking()) return { status: 200, body: { status: 'ok', version: '1', capabilities } };
      return { status: 503, body: { status: 'degraded', version: '1', capabilities: [] } };
    },
  },
  '/v1/namespaces/*': {
    async PUT(part, read) {
      const { kind, expires_at, metadata } = read();
      const body = await store.putNamespace(to.name(part), {
        kind: to.oneOf(kind, ['workspace', 'team', 'org', 'custom']),
        expires_at: ifGiven(expires_at, to.moment),
        metadata: ifGiven(metadata, to.object),
      });
      return { status: 200, body };
    },
    async PATCH(part, read) {
      const { expires_at, metadata } = read();
      demand(expires_at !== undefined || metadata !== undefined, 'Say what to change: expires_at, metadata, or both.');
      const body = await store.changeNamespace(to.name(part), {
        ...(expires_at === undefined ? {} : { expires_at: ifGiven(expires_at, to.moment) }),
        ...(metadata === undefined ? {} : { metadata: to.object(metadata) }),
      });
      return { status: 200, body };
    },
    DELETE: async (part) => ({ status: 204, body: await store.deleteNamespace(to.name(part)) }),
  },
  '/v1/namespaces/*/memories': {
    async POST(part, read) {
      const { id, content, kind, source, pin = false, expires_at, propagation, embedding } = read();
      demand(typeof content === 'string' && content.trim() !== '', 'content must be text, and not blank.');
      demand(typeof pin === 'boolean', 'pin must be true or false.');
      const body = await store.write(to.name(part), ifGiven(id, to.id), {
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
    async POST(_part, read) {
      const { namespaces, query = '', kinds, limit = 20, embedding } = read();
      demand(Array.isArray(namespaces) && namespaces.length > 0, 'namespaces must contain at least one namespace.');
      demand(typeof query === 'string', 'query must be text.');
      demand(kinds === undefined || Array.isArray(kinds), 'kinds must be a list.');
      demand(typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 100, 'limit: 1 to 100.');
      const memories = await store.search({
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
    async DELETE(part, read) {
      return { status: 204, body: await store.forget(to.id(part), to.name(read().requested_by_namespace)) };
    },
  },
});

const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();

/** @param {import('node:http').IncomingMessage} request @param {ReturnType<typeof routesOf>} routes */
async function answer(request, routes) {
  const bytes = await readBytes(request);
  const { authorization = '' } = request.headers;
  const token = process.env.PLUGIN_TOKEN;
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

/** @param {{ answer?: import('../store.js').Answer }} error @returns {import('../store.js').Answer} */
function toAnswer(error) {
  if (error.answer !== undefined) return error.answer;
  if (error instanceof URIError)
    return { status: 400, body: { code: 'bad_request', message: 'The path is malformed.' } };
  console.error(error);
  return { status: 500, body: { code: 'internal', message: 'An internal error occurred.' } };
}

/** Serves a store as a memory plugin v1. @param {import('../store.js').Store} store @param {import('../store.js').Serving} options */
export function servePlugin(store, { capabilities, port = '9100', socket }) {
  const routes = routesOf(store, capabilities);
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request, routes).catch(toAnswer);
    const json = body === undefined ? undefined : JSON.stringify(body);
    response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' }).end(json);
  });
  process.once('SIGTERM', () => server.close());
  return server.listen(socket ?? { port: Number(port), host: '127.0.0.1' }, () => {
    const address = server.address();
    const url = typeof address === 'string' ? `unix:${address}` : `http://127.0.0.1:${address?.port}`;
    console.log(JSON.stringify({ event: 'listening', url }));
  });
}
