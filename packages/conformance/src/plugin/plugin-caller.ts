import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import { Unexpected } from '../expectation.js';
import type { Address } from './plugin-target.js';

export interface Call {
  method: string;
  /** Sent unchanged: dots and escapes must not be normalized. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Buffer;
  /** Sent instead of the target's token. Null sends no token. */
  token?: string | null;
}

export interface PluginResponse {
  /** Short description of the call. */
  call: string;
  status: number;
  mediaType: string;
  text: string;
  /** The parsed JSON. Undefined if the text is not JSON. */
  body: unknown;
}

const longestResponseBytes = 64 * 1024 * 1024;

/**
 * Calls a plugin. Does not use fetch, which normalizes paths and does not support Unix sockets.
 */
export class PluginCaller {
  readonly #address: Address;
  readonly #token: string | undefined;
  readonly #timeoutMs: number;
  readonly #agent: Agent;

  constructor(address: Address, token: string | undefined, timeoutMs: number) {
    this.#address = address;
    this.#token = token;
    this.#timeoutMs = timeoutMs;
    const options = { keepAlive: true, maxSockets: 128 };
    this.#agent = address.protocol === 'https:' ? new SecureAgent(options) : new Agent(options);
  }

  async call(call: Call, signal: AbortSignal): Promise<PluginResponse> {
    const name = `${call.method} ${shorten(call.path)}`;
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#send(call, name, AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (signal.aborted) throw new Unexpected('the run was aborted');
      if (deadline.aborted) throw new Unexpected(`${name} got no response within ${this.#timeoutMs} ms`);
      throw new Unexpected(`${name} got no response: ${describe(error)}`, { cause: error });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(call: Call, name: string, signal: AbortSignal): Promise<PluginResponse> {
    const { protocol, hostname, port, socketPath, prefix } = this.#address;
    const token = call.token === undefined ? this.#token : (call.token ?? undefined);
    const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((done, fail) => {
      const request = send({
        agent: this.#agent,
        method: call.method,
        path: `${prefix}${call.path}`,
        signal,
        headers: {
          accept: 'application/json',
          ...(socketPath === undefined ? {} : { host: 'localhost' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
        ...(hostname === undefined ? {} : { hostname }),
        ...(port === undefined ? {} : { port }),
        ...(socketPath === undefined ? {} : { socketPath }),
      });
      let responded = false;
      request.on('response', (response) => {
        responded = true;
        read(response, name).then(done, fail);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A server that rejects a body may close the connection before all of it is sent. Its response counts.
        if (responded) return;
        // The server may close a kept-alive connection just as it is reused.
        if (error.code === 'ECONNRESET' && request.reusedSocket) this.#send(call, name, signal).then(done, fail);
        else fail(error);
      });
      request.end(payload);
    });
  }
}

async function read(response: IncomingMessage, call: string): Promise<PluginResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > longestResponseBytes) throw new Error('the response is larger than 64 MiB');
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const mediaType = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { call, status: response.statusCode ?? 0, mediaType, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shorten(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' && code !== undefined ? code : error.message;
}
