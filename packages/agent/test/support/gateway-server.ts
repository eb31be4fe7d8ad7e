import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface GatewayRequest {
  method: string | undefined;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: requests are inspected, not typed
  body: any;
}

/** `hang`: no response; `die`: the connection is closed; `stall`: only headers; otherwise status and body. */
export type GatewayBehaviour =
  | 'hang'
  | 'die'
  | 'stall'
  | { status: number; body: string; headers?: Record<string, string> };

const answers: Record<string, unknown> = {
  '/memories/search': { results: [] },
  '/memories/add': { message_count: 2, status: 'accumulated' },
  '/memories/flush': { status: 'extracted', episodes: 1 },
};

/** Implements the gateway's wire format over HTTP and misbehaves on demand. Records all requests in order. */
export class GatewayServer {
  readonly requests: GatewayRequest[] = [];
  readonly #behaviours = new Map<string, GatewayBehaviour>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  /** Runs when a request has arrived. The response waits for it. */
  onRequest: ((request: GatewayRequest) => void | Promise<void>) | undefined;

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.requests.length = 0;
    this.#behaviours.clear();
    this.onRequest = undefined;
  }

  behave(operation: 'search' | 'add' | 'flush', behaviour: GatewayBehaviour): void {
    this.#behaviours.set(`/memories/${operation}`, behaviour);
  }

  find(results: unknown): void {
    this.behave('search', { status: 200, body: JSON.stringify({ results }) });
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  bodyOf(operation: 'search' | 'add' | 'flush'): GatewayRequest['body'] {
    return this.requests.find(({ path }) => path === `/memories/${operation}`)?.body;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const request = { method: incoming.method, path: incoming.url ?? '', body: JSON.parse(text) };
    this.requests.push(request);
    await this.onRequest?.(request);
    const behaviour = this.#behaviours.get(request.path);
    if (behaviour === 'hang') return;
    if (behaviour === 'die') {
      incoming.socket.destroy();
      return;
    }
    if (behaviour === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"results":');
      return;
    }
    const { status, body, headers } = behaviour ?? { status: 200, body: JSON.stringify(answers[request.path]) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }
}

/** Starts one server for all tests of a file and resets it before each test. */
export function useGatewayServer(): GatewayServer {
  const server = new GatewayServer();
  beforeAll(() => server.start());
  beforeEach(() => server.reset());
  afterAll(() => server.stop());
  return server;
}
