import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

/** Guards a whole listener with one bearer token, compared in constant time. */
export function requireSharedToken(app: FastifyInstance, token: string): void {
  const expected = digest(`Bearer ${token}`);
  app.addHook('onRequest', async (request) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new Problem('UNAUTHENTICATED', 'Send the shared token: Authorization: Bearer <token>.');
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
