import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';
import { findEncoding, jsonTypes } from './json-body.js';

/** Bodies up to the limit of other routes are not counted. */
const smallBytes = 1024 * 1024;
/** Each is in memory as a whole until it is stored. */
const mostLargeAtOnce = 8;

/** Makes the routes of a Fastify scope take JSON bodies as bytes. Bounds the memory of all large bodies together. */
export function takeRawBodies(part: FastifyInstance): void {
  let large = 0;
  part.removeContentTypeParser(jsonTypes);
  part.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, (request, body, done) =>
    done(findEncoding(request) ?? null, body),
  );
  part.addHook('preParsing', async (request, reply) => {
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBytes) return;
    if (large >= mostLargeAtOnce) {
      const message = `The server is receiving ${mostLargeAtOnce} large bodies already. Try again shortly.`;
      throw new Problem('UNAVAILABLE', message, { retryAfterSeconds: 1 });
    }
    if (reply.raw.destroyed) return;
    large += 1;
    reply.raw.once('close', () => {
      large -= 1;
    });
  });
}
