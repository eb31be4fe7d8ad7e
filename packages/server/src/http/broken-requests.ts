import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, uuidv7 } from '@memhall/core';
import type { FastifyBaseLogger } from 'fastify';
import { requestIdOf } from './request-id.js';
import type { Surface } from './surface.js';

/** How long a client may take to read why its connection ends. */
const lingerMs = 1000;

const reasons: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and headers of the request are larger than 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/**
 * Answers what is not valid HTTP, is too large to be, or does not arrive in time. Fastify never sees it, or waits for a
 * rest that does not come, so the connection itself is all there is to answer on.
 */
export class BrokenRequests {
  readonly #logger: FastifyBaseLogger;
  readonly #render: Surface<never>['renderProblem'];
  /** Answers go out in order, so the latest one tells whether anything is still to come on a connection. */
  readonly #latest = new WeakMap<Duplex, ServerResponse>();
  readonly #told = new WeakSet<Duplex>();

  constructor(logger: FastifyBaseLogger, render: Surface<never>['renderProblem']) {
    this.#logger = logger;
    this.#render = render;
  }

  watch(server: Server): void {
    server.on('request', (request, response) => this.#latest.set(request.socket, response));
  }

  answer(error: Error & { code?: string }, socket: Duplex): void {
    if (this.#told.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const latest = this.#latest.get(socket);
    if (latest === undefined || (latest.req.complete && latest.writableFinished)) {
      this.#tell(error, socket, uuidv7());
    } else if (latest.req.complete) {
      // What is broken comes after a request whose answer is still under way.
      latest.once('finish', () => this.#tell(error, socket, uuidv7()));
    } else if (latest.headersSent || latest.socket !== socket) {
      socket.destroy();
    } else {
      this.#tell(error, socket, requestIdOf(latest.req));
    }
  }

  #tell(error: Error & { code?: string }, socket: Duplex, requestId: string): void {
    if (this.#told.has(socket) || !socket.writable) return;
    this.#told.add(socket);
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
    // Closing at once, with unread bytes left, would reset the connection and lose the answer.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer)).resume();
  }
}
