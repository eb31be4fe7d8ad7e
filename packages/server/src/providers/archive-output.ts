import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { makeTemporaryDirectory } from './temporary-directory.js';

/** The destination of an archive. The caller must finish or abandon it. */
export interface ArchiveOutput {
  write(line: string): Promise<void>;
  /** Number of bytes written so far. */
  readonly size: number;
  /** Drops everything after this many bytes. */
  rewind(size: number): Promise<void>;
  /** The archive appears at its destination only after this. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

const bufferBytes = 256 * 1024;

/**
 * Opens a file that only its owner can read. It gets its final name, replacing an existing file, once it is complete.
 */
export async function openFileOutput(path: string): Promise<ArchiveOutput> {
  const draft = `${path}.partial`;
  const file = await openDraft(draft);
  return draftOutput(file, {
    finish: () => rename(draft, path),
    abandon: () => rm(draft, { force: true }),
  });
}

/**
 * Writes to a temporary file and copies it to the stream at the end, because data sent to a stream cannot be taken
 * back.
 */
export async function openSpooledOutput(stream: Writable): Promise<ArchiveOutput> {
  const directory = await makeTemporaryDirectory();
  const draft = join(directory.path, 'archive');
  return draftOutput(await openDraft(draft), {
    async finish() {
      for await (const chunk of createReadStream(draft, { highWaterMark: bufferBytes })) await send(stream, chunk);
      await directory.remove();
    },
    abandon: directory.remove,
  });
}

/** Writes directly to the stream; cannot be rewound. */
export function openStreamOutput(stream: Writable): ArchiveOutput {
  let size = 0;
  return {
    get size() {
      return size;
    },
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      size += bytes.length;
      return send(stream, bytes);
    },
    rewind: () => Promise.reject(new Error('a stream cannot be rewound')),
    finish: async () => undefined,
    abandon: async () => undefined,
  };
}

async function openDraft(path: string): Promise<FileHandle> {
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}

function draftOutput(file: FileHandle, end: { finish(): Promise<void>; abandon(): Promise<void> }): ArchiveOutput {
  let written = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, written);
      done += bytesWritten;
      written += bytesWritten;
    }
  };
  return {
    get size() {
      return written + waitingBytes;
    },
    async write(line) {
      const bytes = Buffer.from(`${line}\n`);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= bufferBytes) await flush();
    },
    async rewind(size) {
      await flush();
      await file.truncate(size);
      written = size;
    },
    async finish() {
      await flush();
      await file.sync();
      await file.close();
      await end.finish();
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await end.abandon();
    },
  };
}

/** Resolves when the stream has accepted the bytes, so that a slow reader slows down the writer. */
function send(stream: Writable, bytes: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(bytes, (error) => (error ? fail(error) : done()));
  });
}
