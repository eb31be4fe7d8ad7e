import { isUtf8 } from 'node:buffer';
import { findTextFault, Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

/**
 * Parses JSON bodies. They must be valid UTF-8 of bounded depth, without NUL, lone surrogates or members that could
 * change a prototype. An empty body counts as absent, whatever its media type.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json(;|$)/, { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return done(
        new Problem('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported. Send the body uncompressed.'),
      );
    }
    if (!isUtf8(bytes)) return done(new Problem('INVALID_REQUEST', 'The body is not valid UTF-8.'));
    parse(request, bytes.toString('utf8'), (error, value) => {
      if (error !== null) return done(error);
      const fault = findTextFault(value);
      if (fault === undefined) return done(null, value);
      const subject = fault.pointer === '' ? 'The body' : `"${fault.pointer.slice(0, 200)}"`;
      done(new Problem('INVALID_REQUEST', `${subject} ${fault.message}.`));
    });
  });
}
