import type { IncomingMessage } from 'node:http';
import { uuidv7 } from '@memhall/core';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's X-Request-Id when it is one that can be logged safely, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : uuidv7();
}
