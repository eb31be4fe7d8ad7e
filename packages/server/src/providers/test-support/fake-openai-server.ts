import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest<Body> {
  url: string;
  authorization: string | undefined;
  body: Body;
}

/** Handles a request itself, or returns false to leave it to the server. */
export type Interceptor<Body> = (
  request: ReceivedRequest<Body>,
  response: ServerResponse,
) => boolean | Promise<boolean>;

/** A real HTTP server that speaks OpenAI's wire format. */
export abstract class FakeOpenAiServer<Body> {
  readonly requests: ReceivedRequest<Body>[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #interceptors: Interceptor<Body>[] = [];
  maxOpen = 0;
  #open = 0;

  protected abstract answer(body: Body, response: ServerResponse): void;

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** For the next requests without an interceptor, one each. */
  interceptNext(...interceptors: Interceptor<Body>[]): void {
    this.#interceptors.push(...interceptors);
  }

  reset(): void {
    this.requests.length = 0;
    this.#interceptors.length = 0;
    this.maxOpen = 0;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.#open);
    response.on('close', () => {
      this.#open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    const request = { url: incoming.url ?? '', authorization: incoming.headers.authorization, body };
    this.requests.push(request);
    const isAnswered = (await this.#interceptors.shift()?.(request, response)) ?? false;
    if (!isAnswered) this.answer(body, response);
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}
