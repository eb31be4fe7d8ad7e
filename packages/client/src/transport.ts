import type { Operations } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';

export interface ClientOptions {
  /** For example `http://127.0.0.1:8010`. */
  baseUrl: string;
  /**
   * A token, or a function that returns one. The function is called before every attempt, so it can renew the token. Nothing is sent
   * if it is empty.
   */
  token: string | (() => string | Promise<string>);
  /** Timeout of a single attempt. Default 30 s. */
  timeoutMs?: number;
  /** How often a safe call (GET) is retried if the server is unreachable, busy or over quota. Default 2. */
  retries?: number;
  /** Stores nothing that the calls bring; can be set for each call instead. Default false. */
  offTheRecord?: boolean;
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Aborts the call and any wait before a retry. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Stores nothing that the call brings. Ids in the answer then name nothing. Default: as the client. */
  offTheRecord?: boolean;
}

export type OperationId = keyof Operations;
type Optional<K extends string, T> = Record<string, never> extends T ? { [P in K]?: T } : { [P in K]: T };

/** Optional members may also be undefined: they are not sent. */
// biome-ignore lint/complexity/noBannedTypes: {} has no members, so it extends a type whose only member is optional
type Lenient<T> = { [K in keyof T]: {} extends Pick<T, K> ? T[K] | undefined : T[K] };

export type CallInput<O extends OperationId> = { path: Operations[O]['path'] } & Optional<
  'query',
  Lenient<Operations[O]['query']>
> &
  (Operations[O] extends { body: infer B } ? { body: Lenient<B> } : { body?: never }) & {
    headers?: Record<string, string>;
  };

export interface CallResult<O extends OperationId> {
  status: number;
  etag: string | null;
  answer: Operations[O]['answer'];
}

const retryableStatuses = new Set([429, 502, 503, 504]);
const firstDelayMs = 200;
const longestDelayMs = 10_000;

/**
 * Method and path of each operation. Each part of the client has its own table, so that unused routes are not loaded.
 */
export type RouteTable = { readonly [O in OperationId]?: readonly [method: string, path: string] };

/** Sends the operations of a route table over HTTP. Independent of the meaning of the operations. */
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
        if (attempt >= tries || !isRetryable(error)) throw error;
        await wait(delayMs(attempt, error as MemhallError), options.signal);
      }
    }
  }

  #send<O extends OperationId>(operation: O, input: CallInput<O>, options: CallOptions): Promise<CallResult<O>> {
    return this.exchange(operation, input, options, async (response) => {
      const text = await response.text();
      const answer = (text === '' ? null : parse(response, text)) as Operations[O]['answer'];
      return { status: response.status, etag: response.headers.get('etag'), answer };
    });
  }

  /** Sends a request and reads a successful response, both within the time limit. */
  async exchange<O extends OperationId, T>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { token, baseUrl } = this.#options;
    const [method = '', template = ''] = this.#routes[operation] ?? [];
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), options.timeoutMs ?? this.#options.timeoutMs ?? 30_000);
    const signal = options.signal === undefined ? timeout.signal : AbortSignal.any([options.signal, timeout.signal]);
    const body = 'body' in input && input.body !== undefined ? JSON.stringify(input.body) : undefined;
    const url = `${baseUrl.replace(/\/$/, '')}${fillPath(template, input.path)}${toQuery(input.query ?? {})}`;
    try {
      const bearer = typeof token === 'string' ? token : await token();
      const headers: Record<string, string> = {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...((options.offTheRecord ?? this.#options.offTheRecord) ? { 'off-the-record': 'true' } : {}),
        ...input.headers,
      };
      const response = await this.#fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
      if (!response.ok) throw toError(response, await response.text());
      return await read(response);
    } catch (error) {
      if (error instanceof MemhallError) throw error;
      options.signal?.throwIfAborted();
      if (timeout.signal.aborted)
        throw new MemhallError({ code: 'TIMEOUT', status: 0, message: `${operation} timed out.`, cause: error });
      throw new MemhallError({
        code: 'NETWORK',
        status: 0,
        message: `The server could not be reached for ${operation}.`,
        cause: error,
      });
    } finally {
      clearTimeout(timer);
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
      message: 'The response is not JSON. Is this a Memhall server?',
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
      message: `The server responded with status ${status}.`,
      requestId,
      retryAfterSeconds,
    });
  }
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof MemhallError &&
    (error.code === 'NETWORK' || error.code === 'TIMEOUT' || retryableStatuses.has(error.status))
  );
}

/** Exponential backoff with jitter, or the server's Retry-After if that is longer. */
function delayMs(attempt: number, error: MemhallError): number {
  const backoff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(longestDelayMs, Math.max(backoff, (error.retryAfterSeconds ?? 0) * 1000));
}

export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
