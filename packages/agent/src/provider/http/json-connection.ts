import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { SecretText } from '../../configuration/secret-text.js';
import { ProviderTimeout, ProviderUnavailable } from '../provider-errors.js';

export interface JsonResponse {
  status: number;
  /** Undefined if the body is not JSON. */
  body: unknown;
}

interface JsonConnectionOptions {
  /** `http://…`, `https://…` or `unix:/path/to/socket`. */
  url: string;
  token?: SecretText | undefined;
  timeoutMs: number;
}

const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Connection to one JSON service. Never retries. Rejects with ProviderTimeout, ProviderUnavailable or the signal's
 * reason. Errors contain neither the address nor the response. Never follows redirects, which would send the token
 * elsewhere.
 */
export class JsonConnection {
  readonly #options: JsonConnectionOptions;
  readonly #socketPath: string | undefined;
  readonly #base: URL;
  readonly #agent: Agent;

  constructor(options: JsonConnectionOptions) {
    this.#options = options;
    const { url } = options;
    this.#socketPath = url.startsWith('unix:') ? url.slice('unix:'.length) : undefined;
    this.#base = new URL(this.#socketPath === undefined ? url : 'http://localhost');
    this.#agent =
      this.#base.protocol === 'https:' ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  }

  async call(method: string, path: string, body?: object, signal?: AbortSignal): Promise<JsonResponse> {
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    const payload = body === undefined ? undefined : JSON.stringify(body);
    try {
      const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
      return await this.#send(method, path, payload, ended);
    } catch {
      signal?.throwIfAborted();
      if (deadline.aborted) throw new ProviderTimeout('The memory service did not respond in time.');
      throw new ProviderUnavailable('The memory service is unreachable.');
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, payload: string | undefined, signal: AbortSignal): Promise<JsonResponse> {
    const { token } = this.#options;
    const { protocol, hostname, port, pathname } = this.#base;
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((done, fail) => {
      const request = send({
        agent: this.#agent,
        method,
        path: `${pathname.replace(/\/+$/, '')}${path}`,
        signal,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
        ...(this.#socketPath === undefined
          ? { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), ...(port === '' ? {} : { port }) }
          : { socketPath: this.#socketPath }),
      });
      request.on('response', (response) => read(response).then(done, fail));
      request.on('error', fail);
      request.end(payload);
    });
  }
}

async function read(response: IncomingMessage): Promise<JsonResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes) throw new Error('The response is too large.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
