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

/** An uploaded file. It is on disk until the response is sent. */
export interface Upload {
  path: string;
  /** File name given by the client. */
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
  /** Checks the fields sent before the file. If it throws, the file is not read. */
  beforeFile(fields: Readonly<Record<string, unknown>>): Promise<void>;
}

const fieldLimits = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 65_536, headerPairs: 50 };
const longestName = 255;

/**
 * Makes the routes of a Fastify scope accept a form with one file. The other fields become the body and are validated.
 */
export function takeUploads(part: FastifyInstance, options: UploadOptions): void {
  part.register(fastifyMultipart);
  part.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart()) {
      throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as a form, with Content-Type: multipart/form-data.');
    }
    const closed = reply.raw.destroyed ? undefined : once(reply.raw, 'close');
    const reading = readForm(request, options);
    // The file is removed once the form has been read and the response is sent or the client has disconnected.
    void Promise.allSettled([reading, closed])
      .then(() => request.uploadDirectory?.remove())
      .catch((error: unknown) =>
        request.log.warn({ error: describeError(error) }, 'could not remove a temporary upload'),
      );
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
      if (part.fieldname !== 'file') throw invalid('The file must be sent in the form field "file".');
      await options.beforeFile(fields);
      request.upload = await storeFile(request, part, await options.makeDirectory());
      continue;
    }
    if (part.fieldname in fields) throw invalid('A form field may be sent only once.');
    if (part.valueTruncated) throw invalid('A form field is longer than 64 KiB.');
    fields[part.fieldname] = part.value;
  }
  if (request.upload === undefined) throw invalid('"file" is required.');
  if (request.upload.sizeBytes === 0) throw invalid('The file is empty.');
  const fault = findTextFault({ ...fields });
  if (fault !== undefined) throw invalid(`"${fault.pointer.slice(1, 200)}" ${fault.message}.`);
  return { ...fields };
}

async function storeFile(
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
  await pipeline(file, measure, kept, { signal: abortOnDisconnect(request) });
  if (file.truncated) throw Object.assign(new Error('the file is too large'), { code: 'FST_REQ_FILE_TOO_LARGE' });
  return {
    path,
    name: toName(filename),
    sizeBytes,
    contentHash: hash.digest('hex'),
    pieces: (highWaterMark) => createReadStream(path, { highWaterMark }),
  };
}

/** Aborts when the client disconnects; the parser would keep waiting for the rest of the request. */
function abortOnDisconnect({ raw }: FastifyRequest): AbortSignal {
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

/** A faulty form is the client's error. A disk error is ours and is returned unchanged. */
function toProblem(error: unknown, { maxBytes }: UploadOptions): unknown {
  if (error instanceof Problem) return error;
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall !== undefined) return error;
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Problem('PAYLOAD_TOO_LARGE', `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
  }
  return invalid('The form cannot be parsed. Send one file and at most 20 fields as multipart/form-data.');
}

function invalid(message: string): Problem {
  return new Problem('INVALID_REQUEST', message);
}
