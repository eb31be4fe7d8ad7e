import type { IncomingMessage } from 'node:http';
import { uuidv7 } from '@memhall/core';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;
const made = new WeakMap<IncomingMessage, string>();

/** Returns the caller's X-Request-Id if it is safe to log, otherwise an id generated once for this request. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && sane.test(given)) return given;
  const id = made.get(request) ?? uuidv7();
  made.set(request, id);
  return id;
}
