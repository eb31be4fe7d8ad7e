import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

/** Requires the same bearer token for every request to a listener. Compares it in constant time. */
export function requireSharedToken(app: FastifyInstance, token: string): void {
  const expected = digest(`Bearer ${token}`);
  app.addHook('onRequest', async (request) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new Problem(
        'UNAUTHENTICATED',
        'The shared token is missing or wrong. Send it as Authorization: Bearer <token>.',
      );
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
