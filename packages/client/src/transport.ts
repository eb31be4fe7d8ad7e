import type { Operations } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';

export interface ClientOptions {
  /** Such as `http://127.0.0.1:8010`. */
  baseUrl: string;
  /** A token, or what gets one: asked before every call, so that it may be renewed. */
  token: string | (() => string | Promise<string>);
  /** For one try of a call. Default 30 s. */
  timeoutMs?: number;
  /** How often a safe call (GET) is tried again when the server is out of reach, busy or over quota. Default 2. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, and any waiting before another try; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

type OperationId = keyof Operations;
type Optional<K extends string, T> = Record<string, never> extends T ? { [P in K]?: T } : { [P in K]: T };

export type CallInput<O extends OperationId> = { path: Operations[O]['path'] } & Optional<
  'query',
  Operations[O]['query']
> &
  (Operations[O] extends { body: infer B } ? { body: B } : { body?: never }) & { headers?: Record<string, string> };

export interface CallResult<O extends OperationId> {
  status: number;
  etag: string | null;
  answer: Operations[O]['answer'];
}

const retryableStatuses = new Set([429, 502, 503, 504]);
const firstDelayMs = 200;
const longestDelayMs = 10_000;

/** How operations are called. Each part of the client brings its own, so that nobody loads what they do not use. */
export type RouteTable = { readonly [O in OperationId]?: readonly [method: string, path: string] };

/** Sends operations of a table. Knows HTTP, and nothing of what the operations mean. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #routes: RouteTable;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions, routes: RouteTable) {
    this.#options = options;
    this.#routes = routes;
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  async call<O extends OperationId>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions = {},
  ): Promise<CallResult<O>> {
    const [method] = this.#routes[operation] ?? [];
    const tries = method === 'GET' ? 1 + (this.#options.retries ?? 2) : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(operation, input, options);
      } catch (error) {
        if (attempt >= tries || !isWorthAnotherTry(error)) throw error;
        await wait(delayMs(attempt, error as MemhallError), options.signal);
      }
    }
  }

  async #send<O extends OperationId>(operation: O, input: CallInput<O>, options: CallOptions): Promise<CallResult<O>> {
    const { token, baseUrl } = this.#options;
    const [method = '', template = ''] = this.#routes[operation] ?? [];
    const timeout = AbortSignal.timeout(options.timeoutMs ?? this.#options.timeoutMs ?? 30_000);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    const body = 'body' in input && input.body !== undefined ? JSON.stringify(input.body) : undefined;
    const headers: Record<string, string> = {
      authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    };
    const url = `${baseUrl.replace(/\/$/, '')}${fillPath(template, input.path)}${toQuery(input.query ?? {})}`;
    try {
      const response = await this.#fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      if (!response.ok) throw toError(response, text);
      const answer = text === '' ? null : parse(response, text);
      return { status: response.status, etag: response.headers.get('etag'), answer: answer as Operations[O]['answer'] };
    } catch (error) {
      if (error instanceof MemhallError) throw error;
      options.signal?.throwIfAborted();
      if (timeout.aborted)
        throw new MemhallError({ code: 'TIMEOUT', status: 0, message: `${operation} took too long.`, cause: error });
      throw new MemhallError({
        code: 'NETWORK',
        status: 0,
        message: `The server could not be reached for ${operation}.`,
        cause: error,
      });
    }
  }
}

function fillPath(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function toQuery(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function parse(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemhallError({
      code: 'PROTOCOL',
      status: response.status,
      message: 'The answer is not JSON: is this a Memhall server?',
      cause,
    });
  }
}

function toError(response: Response, text: string): MemhallError {
  const { status, headers } = response;
  const retryAfterSeconds = Number(headers.get('retry-after')) || null;
  const requestId = headers.get('x-request-id');
  try {
    const { code, message, details } = JSON.parse(text).error;
    return new MemhallError({ code, message, status, details, requestId, retryAfterSeconds });
  } catch {
    return new MemhallError({
      code: 'PROTOCOL',
      status,
      message: `The server answered ${status}.`,
      requestId,
      retryAfterSeconds,
    });
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  return (
    error instanceof MemhallError &&
    (error.code === 'NETWORK' || error.code === 'TIMEOUT' || retryableStatuses.has(error.status))
  );
}

/** Twice as long each time, with jitter; longer when the server says so. */
function delayMs(attempt: number, error: MemhallError): number {
  const backoff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(longestDelayMs, Math.max(backoff, (error.retryAfterSeconds ?? 0) * 1000));
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
