import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import { Problem, StartUpError } from '@memhall/core';

export interface PluginConnectionOptions {
  /** `http://host:port`, `https://host`, with a path before `/v1` if need be, or `unix:/path/of/socket`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** For one call, from the first byte sent to the last received. */
  timeoutMs: number;
  maxConnections?: number | undefined;
}

export interface PluginAnswer {
  status: number;
  /** undefined when there is none, or none that is JSON. */
  body: unknown;
}

const defaultConnections = 8;
/** A hundred memories of the greatest length, and then some. */
const maxAnswerBytes = 128 * 1024 * 1024;

interface Place {
  secure: boolean;
  address: { host: string; port: number } | { socketPath: string };
  hostHeader: string;
  basePath: string;
}

/** JSON over HTTP to one address. fetch knows no Unix sockets, hence node:http. */
export class PluginConnection {
  readonly #place: Place;
  readonly #agent: Agent | SecureAgent;
  readonly #options: PluginConnectionOptions;

  constructor(options: PluginConnectionOptions) {
    this.#options = options;
    this.#place = toPlace(options.url);
    const pool = { keepAlive: true, maxSockets: options.maxConnections ?? defaultConnections };
    this.#agent = this.#place.secure ? new SecureAgent(pool) : new Agent(pool);
  }

  send(method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<PluginAnswer> {
    signal?.throwIfAborted();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { promise, resolve, reject } = withResolvers<PluginAnswer>();
    const send = this.#place.secure ? requestHttps : requestHttp;
    const request = send(
      {
        ...this.#place.address,
        agent: this.#agent,
        method,
        path: `${this.#place.basePath}${path}`,
        headers: this.#headers(text),
      },
      (response) => readAnswer(response).then(resolve, reject),
    );
    const end = () => request.destroy(new Error('aborted'));
    const timer = setTimeout(() => request.destroy(new Error('late')), this.#options.timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    request.once('error', reject);
    request.end(text);
    return promise
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new Problem('UNAVAILABLE', this.#describe(error), { cause: error });
      })
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
      });
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers(text: string | undefined): Record<string, string | number> {
    const { token } = this.#options;
    return {
      host: this.#place.hostHeader,
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text, 'utf8') }),
    };
  }

  #describe(error: unknown): string {
    const { message, code } = error as NodeJS.ErrnoException;
    if (message === 'late') return `The memory plugin gave no answer within ${this.#options.timeoutMs} ms.`;
    return `The memory plugin cannot be reached (${code ?? 'the connection broke off'}).`;
  }
}

function toPlace(url: string): Place {
  if (url.startsWith('unix:/')) {
    const socketPath = url.slice('unix:'.length).replace(/^\/\/+/, '/');
    return { secure: false, address: { socketPath }, hostHeader: 'localhost', basePath: '' };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if ((parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') || parsed.username !== '') {
    throw new StartUpError('MEMORY_PLUGIN_URL must look like http://host:port, https://host or unix:/path/of/socket.');
  }
  const secure = parsed.protocol === 'https:';
  const port = Number(parsed.port === '' ? (secure ? 443 : 80) : parsed.port);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  return { secure, address: { host, port }, hostHeader: parsed.host, basePath: parsed.pathname.replace(/\/+$/, '') };
}

async function readAnswer(response: IncomingMessage): Promise<PluginAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error('too long');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString('utf8')) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
