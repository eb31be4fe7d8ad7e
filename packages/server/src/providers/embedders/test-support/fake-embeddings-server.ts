import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingsRequest {
  model: string;
  input: string[];
  dimensions?: number;
  encoding_format?: 'float' | 'base64';
}

export interface ReceivedRequest {
  url: string;
  authorization: string | undefined;
  body: EmbeddingsRequest;
}

/** Answers a request itself, or returns false to leave it to the server. */
export type Interceptor = (request: ReceivedRequest, response: ServerResponse) => boolean | Promise<boolean>;

const DIMENSION = 16;

/** A real HTTP server that speaks OpenAI's wire format; a text's vector follows from its hash. */
export class FakeEmbeddingsServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #interceptors: Interceptor[] = [];
  maxOpen = 0;
  #open = 0;

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

  /** For the next request that has none yet. */
  interceptNext(...interceptors: Interceptor[]): void {
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
    const { url = '' } = incoming;
    const body = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsRequest;
    const request = { url, authorization: incoming.headers.authorization, body };
    this.requests.push(request);
    const isAnswered = (await this.#interceptors.shift()?.(request, response)) ?? false;
    if (!isAnswered) answerJson(response, 200, toAnswer(body));
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

/** Back to front, as the format allows: `index` says which is which. */
export function toAnswer({ input, model, dimensions = DIMENSION, encoding_format }: EmbeddingsRequest) {
  const data = input.map((text, index) => {
    const vector = toVector(text, dimensions);
    const embedding = encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index, embedding };
  });
  return { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function toVector(text: string, dimension: number): Float32Array {
  const hash = createHash('sha512').update(text).digest();
  return Float32Array.from({ length: dimension }, (_, i) => hash.readInt8(i % hash.length) + 0.5);
}
