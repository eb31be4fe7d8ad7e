import { isUtf8 } from 'node:buffer';
import { findTextFault, Problem } from '@memhall/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Media types of JSON. */
export const jsonTypes = /^application\/([\w.-]+\+)?json(;|$)/;

/** A body has at most so many objects and lists. */
const mostContainers = 100_000;
const [openBrace, openBracket] = [0x7b, 0x5b];

/**
 * Parses JSON bodies. They must be valid UTF-8 of bounded depth and size, without NUL, lone surrogates or members that could
 * change a prototype. An empty body counts as absent, whatever its media type. `onBody` is called before work on one.
 */
export function readJsonBodies(app: FastifyInstance, onBody: OnBody): void {
  app.removeAllContentTypeParsers();
  addJsonParser(app, onBody);
}

/** Makes the routes of a Fastify scope call `admit` with the bytes of a JSON body before they are parsed. */
export function admitBeforeParsing(part: FastifyInstance, onBody: OnBody, admit: Admit): void {
  part.removeContentTypeParser(jsonTypes);
  addJsonParser(part, onBody, admit);
}

type OnBody = (request: FastifyRequest) => void;
type Admit = (request: FastifyRequest, bytes: Buffer) => Promise<void>;
type Done = (error: Error | null, value?: unknown) => void;

function addJsonParser(app: FastifyInstance, onBody: OnBody, admit?: Admit): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const parseBytes = (request: FastifyRequest, bytes: Buffer, done: Done) => {
    onBody(request);
    if (!isUtf8(bytes)) return done(notUtf8());
    parse(request, bytes.toString('utf8'), (error, value) => {
      done(error ?? findExcess(bytes, value) ?? findFault(value) ?? null, value);
    });
  };
  app.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    const encoded = findEncoding(request);
    if (encoded !== undefined) return done(encoded);
    if (admit === undefined) return parseBytes(request, bytes, done);
    onBody(request);
    admit(request, bytes).then(() => parseBytes(request, bytes, done), done);
  });
}

/** Returns the problem of a body with too many values. A mebibyte of empty objects takes three times as long as one of any others. */
function findExcess(bytes: Buffer, root: unknown): Problem | undefined {
  if (bytes.length < mostContainers * 2) return undefined;
  let left = mostContainers;
  // Iterating over them takes several times as long.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === openBrace || bytes[at] === openBracket) left -= 1;
  if (left >= 0) return undefined;
  // Texts may contain brackets, too.
  left = mostContainers;
  const pending = [root];
  for (let value = pending.pop(); value !== undefined && left >= 0; value = pending.pop()) {
    left -= 1;
    for (const member of Object.values(value as object)) {
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  if (left >= 0) return undefined;
  const message = `The body has more than ${mostContainers.toLocaleString('en')} objects and lists. Send them in parts.`;
  return new Problem('INVALID_REQUEST', message);
}

/** Returns the problem of a compressed body, which is not supported. */
export function findEncoding({ headers }: FastifyRequest): Problem | undefined {
  if ((headers['content-encoding'] ?? 'identity') === 'identity') return undefined;
  return new Problem('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported. Send the body uncompressed.');
}

/**
 * Parses a body outside of Fastify. The caller must check it with a schema that allows no members it does not name, because one
 * of them could change a prototype, and with `checkText`. Throws INVALID_REQUEST.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw notUtf8();
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw new Problem('INVALID_REQUEST', 'The body is not valid JSON.');
  }
}

/** Throws INVALID_REQUEST if a parsed body has a text that cannot be stored. */
export function checkText(value: unknown): void {
  const fault = findFault(value);
  if (fault !== undefined) throw fault;
}

function notUtf8(): Problem {
  return new Problem('INVALID_REQUEST', 'The body is not valid UTF-8.');
}

function findFault(value: unknown): Problem | undefined {
  const fault = findTextFault(value);
  if (fault === undefined) return undefined;
  const subject = fault.pointer === '' ? 'The body' : `"${fault.pointer.slice(0, 200)}"`;
  return new Problem('INVALID_REQUEST', `${subject} ${fault.message}.`);
}
