import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Kept {
  id: string;
  namespace: string;
  content: string;
  kind: string;
  source: string;
  created_at: string;
}

interface Search {
  namespaces: string[];
  query?: string;
  kinds?: string[];
  limit: number;
}

export interface SimplePlugin {
  url: string;
  memories: Map<string, Kept>;
  /** Requests that tried to change something, each with its response status, in order. */
  writes: string[];
  /** Replaces the response if it returns a status. */
  fault?: ((request: IncomingMessage, body: string) => number | undefined) | undefined;
  /** Delays the response until the returned promise resolves. */
  hold?: ((request: IncomingMessage, status: number) => Promise<void> | undefined) | undefined;
  close(): Promise<void>;
}

/**
 * Starts a minimal external memory plugin: any word matches, results are always newest first, and `fts` is its only
 * capability. Without that, it rejects queries.
 */
export async function startSimplePlugin({
  socket,
  capabilities = ['fts'],
}: {
  socket?: string;
  capabilities?: string[];
} = {}): Promise<SimplePlugin> {
  const namespaces = new Set<string>();
  const memories = new Map<string, Kept>();
  const plugin: Omit<SimplePlugin, 'url' | 'close'> = { memories, writes: [] };

  const answer = (request: IncomingMessage, body: string): [number, unknown] => {
    const status = plugin.fault?.(request, body);
    if (status !== undefined) return [status, { code: 'internal', message: 'made to fail' }];
    const path = decodeURIComponent(request.url ?? '');
    if (path === '/v1/health') return [200, { status: 'ok', version: '7', capabilities }];
    if (path === '/v1/search') {
      const wanted: Search = JSON.parse(body);
      if (wanted.query === undefined || capabilities.includes('fts')) return [200, { memories: search(wanted) }];
      return [400, { code: 'bad_request', message: 'there is no full-text search here' }];
    }
    const [written, content] = write(path, body);
    plugin.writes.push(`${request.method} ${path} ${written}`);
    return [written, content];
  };
  const write = (path: string, body: string): [number, unknown] => {
    const [, name = '', rest] = /^\/v1\/namespaces\/([^/]+)(\/memories)?$/.exec(path) ?? [];
    if (rest === undefined) {
      namespaces.add(name);
      return [200, { name, kind: JSON.parse(body).kind, created_at: new Date().toISOString() }];
    }
    if (!namespaces.has(name)) return [404, { code: 'not_found', message: 'no such namespace' }];
    const { id = randomUUID(), content, kind, source, propagation } = JSON.parse(body);
    if (propagation !== undefined) return [400, { code: 'bad_request', message: 'propagation is not for me' }];
    memories.set(id, { id, namespace: name, content, kind, source, created_at: new Date().toISOString() });
    return [201, { id, namespace: name }];
  };
  const search = ({ namespaces: wanted, query, kinds, limit }: Search) => {
    const words = query?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const fits = (text: string) => query === undefined || words.some((word) => text.toLowerCase().includes(word));
    const found = [...memories.values()].filter(
      (kept) => wanted.includes(kept.namespace) && (kinds?.includes(kept.kind) ?? true) && fits(kept.content),
    );
    return found.reverse().slice(0, limit);
  };

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const [status, content] = answer(request, body);
      await plugin.hold?.(request, status);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    });
  });
  const url = await listen(server, socket);
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return Object.assign(plugin, { url, close });
}

function listen(server: Server, socket: string | undefined): Promise<string> {
  return new Promise((done) => {
    if (socket !== undefined) server.listen(socket, () => done(`unix:${socket}`));
    else server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
