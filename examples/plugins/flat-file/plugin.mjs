// A memory plugin v1 that keeps everything in one file. No dependencies.
//
//   node examples/plugins/flat-file/plugin.mjs --port 9100 --file memories.jsonl
//   node examples/plugins/flat-file/plugin.mjs --socket /run/plugin.sock --file memories.jsonl
//
// It listens on this machine only, asks for the token in PLUGIN_TOKEN if there is one, and wants the file for itself.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { MemoryStore } from './memory-store.mjs';
import {
  asId,
  asMoment,
  asName,
  asObject,
  asOneOf,
  asVector,
  demand,
  ifGiven,
  parseBody,
  Refusal,
} from './requests.mjs';

const capabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'];
const memoryKinds = ['fact', 'summary', 'checkpoint'];
const largestBody = 1024 * 1024;

/** @typedef {{ part: string, read: () => import('./requests.mjs').Body }} Request */
/** @typedef {{ status: number, body?: unknown }} Answer */

/** @type {[RegExp, Record<string, (request: Request) => Answer>][]} */
const routes = [
  [/^\/v1\/health$/, { GET: getHealth }],
  [/^\/v1\/namespaces\/([^/]*)$/, { PUT: putNamespace, PATCH: patchNamespace, DELETE: deleteNamespace }],
  [/^\/v1\/namespaces\/([^/]*)\/memories$/, { POST: writeMemory }],
  [/^\/v1\/search$/, { POST: search }],
  [/^\/v1\/memories\/([^/]*)$/, { DELETE: forgetMemory }],
];

function getHealth() {
  if (store.isWorking) return { status: 200, body: { status: 'ok', version: '1', capabilities } };
  return { status: 503, body: { status: 'degraded', version: '1', capabilities: [] } };
}

/** @param {Request} request */
function putNamespace({ part, read }) {
  const name = asName(part);
  const { kind, expires_at, metadata } = read();
  const fields = {
    kind: asOneOf('kind', kind, ['workspace', 'team', 'org', 'custom']),
    expires_at: ifGiven(expires_at, asMoment),
    metadata: ifGiven(metadata, (value) => asObject('metadata', value)),
  };
  return { status: 200, body: store.putNamespace(name, fields) };
}

/** @param {Request} request */
function patchNamespace({ part, read }) {
  const name = asName(part);
  const { expires_at, metadata } = read();
  demand(expires_at !== undefined || metadata !== undefined, 'Say what to change: expires_at, metadata, or both.');
  const noted = metadata === undefined ? undefined : asObject('metadata', metadata);
  const changes = {
    ...(expires_at === undefined ? {} : { expires_at: ifGiven(expires_at, asMoment) }),
    ...(noted === undefined ? {} : { metadata: Object.keys(noted).length === 0 ? undefined : noted }),
  };
  return { status: 200, body: store.changeNamespace(name, changes) };
}

/** @param {Request} request */
function deleteNamespace({ part }) {
  store.deleteNamespace(asName(part));
  return { status: 204 };
}

/** @param {Request} request */
function writeMemory({ part, read }) {
  const name = asName(part);
  const { id, content, kind, source, pin = false, expires_at, propagation, embedding } = read();
  demand(typeof content === 'string' && content.trim() !== '', 'content must be text, and not blank.');
  demand(typeof pin === 'boolean', 'pin must be true or false.');
  const fields = {
    content,
    kind: asOneOf('kind', kind, memoryKinds),
    source: asOneOf('source', source, ['agent', 'runtime', 'user']),
    pin: pin || undefined,
    expires_at: ifGiven(expires_at, asMoment),
    propagation: ifGiven(propagation, (value) => asObject('propagation', value)),
    embedding: ifGiven(embedding, asVector),
  };
  return { status: 201, body: store.write(name, ifGiven(id, asId), fields) };
}

/** @param {Request} request */
function search({ read }) {
  const { namespaces, query = '', kinds, limit = 20, embedding } = read();
  demand(Array.isArray(namespaces) && namespaces.length > 0, 'namespaces must name at least one.');
  demand(typeof query === 'string', 'query must be text.');
  demand(kinds === undefined || Array.isArray(kinds), 'kinds must be a list.');
  demand(typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 100, 'limit must be 1 to 100.');
  const memories = store.search({
    namespaces: namespaces.map(asName),
    query: query.trim() === '' ? undefined : query,
    kinds: kinds?.map((kind) => asOneOf('kinds', kind, memoryKinds)),
    limit,
    embedding: embedding === undefined ? undefined : asVector(embedding),
  });
  return { status: 200, body: { memories } };
}

/** @param {Request} request */
function forgetMemory({ part, read }) {
  store.forget(asId(part), asName(read().requested_by_namespace));
  return { status: 204 };
}

/** @param {string} method @param {string} path @param {Buffer | undefined} bytes undefined: too many */
function handle(method, path, bytes) {
  const [pattern, methods] = routes.find(([one]) => one.test(path)) ?? [];
  if (pattern === undefined) throw new Refusal(404, 'not_found', 'There is nothing at this path.');
  const handler = methods !== undefined && Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handler === undefined) throw new Refusal(405, 'bad_request', 'This path does not have this method.');
  if (bytes === undefined) throw new Refusal(413, 'bad_request', 'A body may have 1 MiB at most.');
  return handler({ part: decodeURIComponent(pattern.exec(path)?.[1] ?? ''), read: () => parseBody(bytes) });
}

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest();

/** @param {string | undefined} token @param {string} authorization */
function checkToken(token, authorization) {
  if (token === undefined || timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))) return;
  throw new Refusal(401, 'forbidden', 'Send the shared token.');
}

/** Reads to the end even what is too large: who is still sending would not see the answer. @param {AsyncIterable<Buffer>} stream */
async function readBytes(stream) {
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
  if (error instanceof URIError)
    return toAnswer(new Refusal(400, 'bad_request', 'The path is not encoded as URLs are.'));
  console.error(error);
  return { status: 500, body: { code: 'internal', message: 'Something went wrong here.' } };
}

const text = /** @type {const} */ ({ type: 'string' });
const {
  file = 'memories.jsonl',
  port = '9100',
  socket,
} = parseArgs({
  options: { file: text, port: text, socket: text },
}).values;
const store = new MemoryStore(file);
const server = createServer(async (request, response) => {
  const { url = '', method = '' } = request;
  const { status, body } = await readBytes(request)
    .then((bytes) => {
      checkToken(process.env.PLUGIN_TOKEN, request.headers.authorization ?? '');
      return handle(method, url.replace(/\?.*/, ''), bytes);
    })
    .catch(toAnswer);
  const json = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' }).end(json);
});
const place = socket === undefined ? { port: Number(port), host: '127.0.0.1' } : { path: socket };
server.listen(place, () => {
  const address = server.address();
  const url = typeof address === 'string' ? `unix:${address}` : `http://127.0.0.1:${address?.port}`;
  console.log(JSON.stringify({ event: 'listening', url }));
});
process.once('SIGTERM', () => server.close());
