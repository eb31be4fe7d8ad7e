import { Problem } from '@memhall/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { isLocal } from './local-peer.js';
import { isLoopbackName } from './loopback.js';

interface TokenlessOptions {
  /** Whether they are allowed at all. */
  isAllowed: boolean;
  /** Tenant that they act for. */
  tenantId: string;
  logger: FastifyBaseLogger;
}

/**
 * Callers on this machine that may do without a token on `service-or-local` routes. A proxy on this machine cannot always be told
 * from them. So they need a token, until the next start, once any request shows that the server can be reached from elsewhere.
 */
export class TokenlessCallers {
  readonly tenantId: string;
  readonly #isAllowed: boolean;
  readonly #logger: FastifyBaseLogger;
  #wasReachedFromElsewhere = false;

  constructor({ isAllowed, tenantId, logger }: TokenlessOptions) {
    this.#isAllowed = isAllowed;
    this.tenantId = tenantId;
    this.#logger = logger;
  }

  /** Looks at every request to a listener. Call it before registering routes. */
  watch(app: FastifyInstance): void {
    if (!this.#isAllowed) return;
    app.addHook('onRequest', async (request) => {
      if (this.#wasReachedFromElsewhere || comesFromHere(request)) return;
      this.#wasReachedFromElsewhere = true;
      this.#logger.warn(
        { request_id: request.id },
        'the server was reached from elsewhere: users are no longer created without a token until the next start',
      );
    });
  }

  /** Returns whether the request needs no token. Throws UNAUTHENTICATED if it would have needed none earlier. */
  admits(request: FastifyRequest): boolean {
    if (!this.#isAllowed || request.headers.authorization !== undefined || !comesFromHere(request)) return false;
    if (!this.#wasReachedFromElsewhere) return true;
    throw new Problem(
      'UNAUTHENTICATED',
      'This call needs a token, because the server was reached under a name or address other than loopback. Send a token, or restart the server if that was a mistake.',
    );
  }
}

/**
 * Returns whether the request shows no sign of a caller on another machine, or of a web page whose name resolves to this
 * one. HTTP/1.0 is such a sign: nginx uses it by default, adds no header and replaces the Host.
 */
function comesFromHere({ raw, headers }: FastifyRequest): boolean {
  return isLocal(raw) && raw.httpVersion !== '1.0' && isLoopbackName(headers.host ?? '');
}
