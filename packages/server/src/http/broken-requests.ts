import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, uuidv7 } from '@memhall/core';
import type { FastifyBaseLogger } from 'fastify';
import { requestIdOf } from './request-id.js';
import type { Surface } from './surface.js';

/** How long a client may take to read the response before the connection is destroyed. */
const lingerMs = 1000;

const reasons: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and headers of the request exceed 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
};

/**
 * Responds to requests that are not valid HTTP, are too large to parse, or do not arrive in time. Fastify never sees
 * them, or waits for the rest in vain, so the response is written directly to the socket.
 */
export class BrokenRequests {
  readonly #logger: FastifyBaseLogger;
  readonly #render: Surface<never>['renderProblem'];
  /** Responses are sent in order, so the latest one shows whether a connection still has any to send. */
  readonly #latest = new WeakMap<Duplex, ServerResponse>();
  readonly #responded = new WeakSet<Duplex>();

  constructor(logger: FastifyBaseLogger, render: Surface<never>['renderProblem']) {
    this.#logger = logger;
    this.#render = render;
  }

  watch(server: Server): void {
    server.on('request', (request, response) => this.#latest.set(request.socket, response));
  }

  handle(error: Error & { code?: string }, socket: Duplex): void {
    if (this.#responded.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const latest = this.#latest.get(socket);
    if (latest === undefined || (latest.req.complete && latest.writableFinished)) {
      this.#respond(error, socket, uuidv7());
    } else if (latest.req.complete) {
      // The broken request follows one whose response is still being sent.
      latest.once('finish', () => this.#respond(error, socket, uuidv7()));
    } else if (latest.headersSent || latest.socket !== socket) {
      socket.destroy();
    } else {
      this.#respond(error, socket, requestIdOf(latest.req));
    }
  }

  #respond(error: Error & { code?: string }, socket: Duplex, requestId: string): void {
    if (this.#responded.has(socket) || !socket.writable) return;
    this.#responded.add(socket);
    const [status, message] = reasons[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    this.#logger.info({ request_id: requestId, status, code: error.code }, 'broken request');
    const body = JSON.stringify(this.#render(new Problem('INVALID_REQUEST', message), requestId));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // Closing immediately with unread bytes left would reset the connection and lose the response.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer)).resume();
  }
}
