import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fastifyMultipart, type MultipartFile } from '@fastify/multipart';
import { findTextFault, Problem } from '@memhall/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TemporaryDirectory } from '../ports/temporary-directory.js';
import { describeError } from './logging.js';

/** A file of a request, on disk until the request is answered. */
export interface Upload {
  path: string;
  /** As the client calls it. */
  name: string | null;
  sizeBytes: number;
  /** SHA-256, hexadecimal. */
  contentHash: string;
  pieces(sizeBytes: number): AsyncIterable<Buffer>;
}

declare module 'fastify' {
  interface FastifyRequest {
    upload?: Upload;
    uploadDirectory?: TemporaryDirectory;
  }
}

interface UploadOptions {
  maxBytes: number;
  makeDirectory(): Promise<TemporaryDirectory>;
  /** Looks at the fields that came before the file, which is not read if it throws. */
  beforeFile(fields: Readonly<Record<string, unknown>>): Promise<void>;
}

const fieldLimits = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 65_536, headerPairs: 50 };
const longestName = 255;

/** Lets the routes of a listener's part take a form with one file. The fields become the body, and are validated as such. */
export function takeUploads(part: FastifyInstance, options: UploadOptions): void {
  part.register(fastifyMultipart);
  part.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart()) {
      throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send a form, with Content-Type: multipart/form-data.');
    }
    const closed = reply.raw.destroyed ? undefined : once(reply.raw, 'close');
    const reading = readForm(request, options);
    // The file stays until the request is answered, or nobody waits for an answer any more.
    void Promise.allSettled([reading, closed])
      .then(() => request.uploadDirectory?.remove())
      .catch((error: unknown) => request.log.warn({ error: describeError(error) }, 'an upload stays on the disk'));
    try {
      request.body = await reading;
    } catch (error) {
      throw toProblem(error, options);
    }
  });
}

async function readForm(request: FastifyRequest, options: UploadOptions): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null);
  for await (const part of request.parts({ limits: { ...fieldLimits, fileSize: options.maxBytes } })) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file') throw invalid('Send the file as "file".');
      await options.beforeFile(fields);
      request.upload = await keepFile(request, part, await options.makeDirectory());
      continue;
    }
    if (part.fieldname in fields) throw invalid('Send every field once.');
    if (part.valueTruncated) throw invalid('A field is longer than 64 KiB.');
    fields[part.fieldname] = part.value;
  }
  if (request.upload === undefined) throw invalid('"file" is required.');
  if (request.upload.sizeBytes === 0) throw invalid('The file is empty.');
  const fault = findTextFault({ ...fields });
  if (fault !== undefined) throw invalid(`"${fault.pointer.slice(1, 200)}" ${fault.message}.`);
  return { ...fields };
}

async function keepFile(
  request: FastifyRequest,
  { file, filename }: MultipartFile,
  directory: TemporaryDirectory,
): Promise<Upload> {
  request.uploadDirectory = directory;
  const path = join(directory.path, 'file');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes);
      sizeBytes += bytes.length;
      done(null, bytes);
    },
  });
  const kept = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(file, measure, kept, { signal: breakingOff(request) });
  if (file.truncated) throw Object.assign(new Error('the file is too large'), { code: 'FST_REQ_FILE_TOO_LARGE' });
  return {
    path,
    name: toName(filename),
    sizeBytes,
    contentHash: hash.digest('hex'),
    pieces: (highWaterMark) => createReadStream(path, { highWaterMark }),
  };
}

/** The parser would go on waiting for the rest of a request that broke off. */
function breakingOff({ raw }: FastifyRequest): AbortSignal {
  const broken = new AbortController();
  const check = () => {
    if (!raw.complete) broken.abort();
  };
  if (raw.destroyed) check();
  else raw.once('close', check);
  return broken.signal;
}

function toName(name: string | undefined): string | null {
  const shown = (name ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
    .slice(0, longestName);
  return shown.trim() === '' ? null : shown.toWellFormed();
}

/** The form is the client's, what the disk does is ours. */
function toProblem(error: unknown, { maxBytes }: UploadOptions): unknown {
  if (error instanceof Problem) return error;
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall !== undefined) return error;
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Problem('PAYLOAD_TOO_LARGE', `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
  }
  return invalid('The form cannot be read: send one file and a few fields, as multipart/form-data.');
}

function invalid(message: string): Problem {
  return new Problem('INVALID_REQUEST', message);
}
