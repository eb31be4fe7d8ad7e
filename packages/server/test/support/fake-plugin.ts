import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

interface StoredMemory {
  id: string;
  namespace: string;
  content: string;
  [name: string]: unknown;
}

export interface FakePlugin {
  url: string;
  capabilities: string[];
  /** Whether its store is down, which its health check then reports. */
  isDown: boolean;
  /** The result of every search, or undefined to return the memories stored in the namespaces. */
  found: object[] | undefined;
  /** The status of every response except health, or undefined for normal responses. */
  failsWith: number | undefined;
  /** How many new namespaces disappear as soon as they are created. */
  removals: number;
  /** The delay of a search response. */
  delayMs: number;
  /** A search responds only once this resolves. */
  held: Promise<void> | undefined;
  /** Every request except health checks. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at, not typed
  requests: { method: string; path: string; body: any }[];
  memories: StoredMemory[];
}

/** Runs an external memory plugin that keeps everything in an array, checks nothing, and fails on demand. */
export function useFakePlugin(): FakePlugin {
  const plugin: FakePlugin = {
    url: '',
    capabilities: ['fts', 'ttl', 'pin'],
    isDown: false,
    found: undefined,
    failsWith: undefined,
    removals: 0,
    delayMs: 0,
    held: undefined,
    requests: [],
    memories: [],
  };
  const namespaces = new Set<string>();
  const answer = (response: ServerResponse, status: number, body?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const answerHealth = (response: ServerResponse) => {
    const { isDown, capabilities } = plugin;
    if (isDown) return answer(response, 503, { status: 'degraded', version: '0', capabilities: [] });
    return answer(response, 200, { status: 'ok', version: '0', capabilities });
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    if (path === '/v1/health') return answerHealth(response);
    const body = await readBody(request);
    plugin.requests.push({ method: request.method ?? '', path, body });
    if (plugin.failsWith !== undefined) return answer(response, plugin.failsWith, {});
    const name = path.split('/')[3] ?? '';
    const created_at = new Date().toISOString();
    if (request.method === 'PUT') {
      if (plugin.removals > 0) plugin.removals -= 1;
      else namespaces.add(name);
      return answer(response, 200, { name, kind: body.kind, created_at });
    }
    if (path === '/v1/search') {
      await new Promise((done) => setTimeout(done, plugin.delayMs));
      await plugin.held;
      const known = plugin.memories.filter(({ namespace }) => body.namespaces.includes(namespace));
      return answer(response, 200, { memories: plugin.found ?? known });
    }
    if (request.method === 'DELETE') return answer(response, 204);
    if (!namespaces.has(name)) return answer(response, 404, { code: 'not_found', message: 'none' });
    const memory = { ...body, id: body.id ?? randomUUID(), namespace: name, created_at };
    plugin.memories.push(memory);
    answer(response, 201, { id: memory.id, namespace: name });
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    plugin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return plugin;
}

async function readBody(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}
