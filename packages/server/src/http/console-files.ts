import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Problem } from '@memhall/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing is loaded from anywhere else, no text becomes a script or markup, and no other page can show the console. */
const security = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

interface ConsoleFile {
  type: string;
  bytes: Buffer;
  compressed: Buffer;
  etag: string;
  cache: string;
}

/**
 * Serves the built pages of the console at /console. They are read when somebody opens it for the first time. Any path that is no file
 * of the build gets the first page, which finds its way itself.
 */
export function serveConsole(app: FastifyInstance, directory: string): void {
  let names: Promise<ReadonlySet<string>> | undefined;
  const read = new Map<string, Promise<ConsoleFile>>();
  const find = async (name: string): Promise<ConsoleFile> => {
    names ??= listFiles(directory);
    const known = (await names).has(name) ? name : 'index.html';
    if (known !== name && name.startsWith('assets/')) throw new Problem('NOT_FOUND', 'The console has no such file.');
    const file = read.get(known) ?? readConsoleFile(directory, known);
    read.set(known, file);
    file.catch(() => read.delete(known));
    return file;
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': name = '' } = request.params as { '*'?: string };
    return send(await find(name), request, reply);
  };
  const config = { operation: 'console.files' };
  app.get('/console', { config }, handler);
  app.get('/console/*', { config }, handler);
}

async function listFiles(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  const names = entries.filter((name) => types[extname(name)] !== undefined).map((name) => name.replaceAll(sep, '/'));
  if (names.includes('index.html')) return new Set(names);
  throw new Problem('NOT_FOUND', 'The console is not part of this installation. Run npm run build to build it.');
}

async function readConsoleFile(directory: string, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(join(directory, name));
  const hashed = name.startsWith('assets/');
  return {
    type: types[extname(name)] ?? '',
    bytes,
    compressed: await compress(bytes, { level: 9 }),
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    cache: hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

function send(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...security, etag: file.etag, 'cache-control': file.cache, vary: 'accept-encoding' });
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send();
  reply.type(file.type);
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isCompressed) reply.header('content-encoding', 'gzip');
  return reply.send(isCompressed ? file.compressed : file.bytes);
}
