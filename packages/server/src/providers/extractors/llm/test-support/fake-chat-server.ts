import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../answer.js';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  response_format?: { type: string; json_schema?: { strict: boolean; schema: object } };
}

export interface ReceivedRequest {
  url: string;
  authorization: string | undefined;
  body: ChatRequest;
}

/** Answers a request itself, or returns false to leave it to the server. */
export type Interceptor = (request: ReceivedRequest, response: ServerResponse) => boolean;

/** What a request shows of the conversation. */
export interface ShownDocument {
  known: { kind: string; text: string }[];
  messages: { number: number; from: string; text: string }[];
}

/**
 * A real HTTP server that speaks OpenAI's chat completions. Left alone, it is a model that finds everything the user
 * says worth remembering.
 */
export class FakeChatServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #interceptors: Interceptor[] = [];

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
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
    const request = { url: incoming.url ?? '', authorization: incoming.headers.authorization, body };
    this.requests.push(request);
    if (!this.#interceptors.shift()?.(request, response)) complete(response, JSON.stringify(pickEverything(body)));
  }
}

/** A completion with this content, as OpenAI sends it. */
export function complete(response: ServerResponse, content: string | null, choice = {}): true {
  return answerJson(response, 200, toCompletion([{ ...toChoice(content), ...choice }]));
}

export function toChoice(content: string | null) {
  const message = { role: 'assistant', content, refusal: null };
  return { index: 0, message, logprobs: null, finish_reason: 'stop' };
}

export function toCompletion(choices: object[]) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_750_000_000,
    model: 'test-model',
    choices,
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

export function documentOf({ messages }: ChatRequest): ShownDocument {
  return JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '') as ShownDocument;
}

function pickEverything(request: ChatRequest): Answer {
  const said = documentOf(request).messages.filter(({ from }) => from === 'user');
  return {
    facts: said.flatMap(({ number, text }) =>
      text.split(/(?<=[.!?])\s/u).map((sentence) => ({
        kind: 'preference' as const,
        text: sentence.slice(0, 300),
        messages: [number],
        confidence: 0.9,
        supersedes: null,
      })),
    ),
    digest: { quotes: said.map(({ number, text }) => ({ message: number, text })), keywords: [] },
  };
}
