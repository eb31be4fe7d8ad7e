import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

interface PluginAddress {
  /** `http://…`, `https://…` or `unix:/path`. */
  url: string;
  token?: string | undefined;
  /** For a whole exchange, up to the last byte of the response. */
  timeoutMs: number;
  /** Longer responses are not read to the end. */
  maxAnswerBytes: number;
}

export interface PluginRequest {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  requestId: string;
  signal?: AbortSignal | undefined;
}

/** The exchange failed before there was a readable response. The message is fixed text, safe to show. */
export class BrokenExchange extends Error {
  override readonly name = 'BrokenExchange';
}

/** HTTP exchanges with a plugin, limited in bytes and time. Follows no redirects and retries nothing. */
export class PluginConnection {
  readonly #address: PluginAddress;
  readonly #target: { protocol: string; host?: string; port?: string; socketPath?: string; base: string };
  readonly #agent: PlainAgent | SecureAgent;

  constructor(address: PluginAddress) {
    this.#address = address;
    this.#target = toTarget(address.url);
    const options = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8 };
    this.#agent = this.#target.protocol === 'https:' ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** Rejects with BrokenExchange, or with the signal's reason. */
  async exchange(request: PluginRequest): Promise<{ status: number; text: string }> {
    const { signal } = request;
    signal?.throwIfAborted();
    // Uses a timer, because signals made by AbortSignal.any and .timeout may be garbage-collected and then never fire
    // in Node 20.
    const ending = new AbortController();
    const end = () => ending.abort();
    const { timeoutMs } = this.#address;
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await this.#send(request, ending.signal);
      return { status: response.statusCode ?? 0, text: await this.#read(response) };
    } catch (error) {
      signal?.throwIfAborted();
      if (ending.signal.aborted) throw new BrokenExchange(`sent no complete response within ${timeoutMs} ms`);
      if (error instanceof BrokenExchange) throw error;
      throw new BrokenExchange(`cannot be reached (${codeOf(error)})`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, path, body, requestId }: PluginRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { base, ...target } = this.#target;
    const { token } = this.#address;
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept: 'application/json',
      'x-request-id': requestId,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': payload.length }),
    };
    const send = target.protocol === 'https:' ? secureRequest : plainRequest;
    return new Promise((done, fail) => {
      const sent = send({ ...target, method, path: `${base}${path}`, headers, agent: this.#agent, signal });
      sent.once('response', done).once('error', fail);
      sent.end(payload);
    });
  }

  async #read(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > this.#address.maxAnswerBytes) {
        response.destroy();
        throw new BrokenExchange(`sent more than ${this.#address.maxAnswerBytes} bytes`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

function toTarget(url: string) {
  if (url.startsWith('unix:')) {
    return { protocol: 'http:', host: 'localhost', socketPath: url.slice('unix:'.length), base: '' };
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  return { protocol, host: hostname.replace(/^\[(.*)\]$/, '$1'), ...(port === '' ? {} : { port }), base };
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'connection lost';
}
