import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fastifyMultipart, type MultipartFile, type MultipartValue } from '@fastify/multipart';
import { findTextFault, Problem } from '@memhall/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TemporaryDirectory } from '../ports/temporary-directory.js';
import { describeError } from './logging.js';
import { asksOffTheRecord } from './off-the-record.js';
import type { NamedKey } from './read-key.js';

/** An uploaded file. It is on disk until the response is sent; not if it is off the record. */
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
  /** Checks the key in the form. Throws if it is wrong; the file is then not kept. */
  admit(request: FastifyRequest, named: NamedKey): Promise<void>;
}

const fieldLimits = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 65_536, headerPairs: 50 };
const longestName = 255;
const tooLarge = 'FST_REQ_FILE_TOO_LARGE';
/** What is kept in memory of a file that comes before the key. Nothing reaches the disk before the key is known to be right. */
const maxUnadmittedBytes = 1024 * 1024;

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

type Fields = Record<string, unknown>;

async function readForm(request: FastifyRequest, options: UploadOptions): Promise<Fields> {
  const fields: Fields = Object.create(null);
  let early: EarlyFile | undefined;
  for await (const part of request.parts({ limits: { ...fieldLimits, fileSize: options.maxBytes } })) {
    if (part.type === 'file') early = await takeFile(request, part, fields, options);
    else addField(fields, part);
  }
  if (request.namedKey === undefined) await admit(request, fields, options);
  if (early !== undefined) request.upload = await storeFile(request, early, options);
  if (request.upload === undefined) throw invalid('"file" is required.');
  if (request.upload.sizeBytes === 0) throw invalid('The file is empty.');
  const fault = findTextFault({ ...fields });
  if (fault !== undefined) throw invalid(`"${fault.pointer.slice(1, 200)}" ${fault.message}.`);
  return { ...fields };
}

function addField(fields: Fields, { fieldname, value, valueTruncated }: MultipartValue): void {
  if (fieldname in fields) throw invalid('A form field may be sent only once.');
  if (valueTruncated) throw invalid('A form field is longer than 64 KiB.');
  fields[fieldname] = value;
}

/** Stores the file if its key came before it. Otherwise returns it, if it is small. */
async function takeFile(
  request: FastifyRequest,
  { fieldname, filename, file }: MultipartFile,
  fields: Fields,
  options: UploadOptions,
): Promise<EarlyFile | undefined> {
  if (fieldname !== 'file') throw invalid('The file must be sent in the form field "file".');
  const name = toName(filename);
  if (!isComplete(fields)) return { bytes: await holdFile(request, file), name };
  await admit(request, fields, options);
  request.upload = await storeFile(request, { bytes: file, name }, options);
  if (file.truncated) throw Object.assign(new Error('the file is too large'), { code: tooLarge });
  return undefined;
}

function isComplete({ user_id: userId, user_key: userKey }: Fields): boolean {
  return userId !== undefined && userKey !== undefined;
}

async function admit(request: FastifyRequest, { user_id, user_key }: Fields, options: UploadOptions): Promise<void> {
  await options.admit(request, { userId: toText('user_id', user_id), userKey: toText('user_key', user_key) });
}

function toText(name: string, value: unknown): string {
  if (value === undefined) throw invalid(`"${name}" is required.`);
  if (typeof value !== 'string') throw invalid(`"${name}" must be a string.`);
  return value;
}

/** A file that came before the key. */
interface EarlyFile {
  bytes: Iterable<Buffer>;
  name: string | null;
}

/** Reads a small file into memory. Throws INVALID_REQUEST if it is not small. */
async function holdFile(request: FastifyRequest, file: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  await pipeline(
    file,
    async (incoming: AsyncIterable<Buffer>) => {
      for await (const bytes of incoming) {
        sizeBytes += bytes.length;
        if (sizeBytes > maxUnadmittedBytes) {
          throw invalid('A file of more than 1 MiB must come after user_id and user_key. Send these fields first.');
        }
        pieces.push(bytes);
      }
    },
    { signal: abortOnDisconnect(request) },
  );
  return pieces;
}

async function storeFile(
  request: FastifyRequest,
  { bytes: incoming, name }: { bytes: Readable | Iterable<Buffer>; name: string | null },
  { makeDirectory }: UploadOptions,
): Promise<Upload> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes);
      sizeBytes += bytes.length;
      done(null, bytes);
    },
  });
  const isKept = !asksOffTheRecord(request.headers);
  if (isKept) request.uploadDirectory = await makeDirectory();
  const path = join(request.uploadDirectory?.path ?? devNull, 'file');
  const kept = isKept ? createWriteStream(path, { mode: 0o600, flags: 'wx' }) : nowhere();
  await pipeline(incoming, measure, kept, { signal: abortOnDisconnect(request) });
  return {
    path,
    name,
    sizeBytes,
    contentHash: hash.digest('hex'),
    pieces: (highWaterMark) => createReadStream(path, { highWaterMark }),
  };
}

/** What is off the record is only measured. */
function nowhere(): Writable {
  return new Writable({ write: (_bytes, _encoding, done) => done() });
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
  if (code === tooLarge) {
    return new Problem('PAYLOAD_TOO_LARGE', `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
  }
  return invalid('The form cannot be parsed. Send one file and at most 20 fields as multipart/form-data.');
}

function invalid(message: string): Problem {
  return new Problem('INVALID_REQUEST', message);
}
