import { createWriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { FileReader, ReadFailure, ReadFile } from '../../ports/file-reader.js';
import { makeTemporaryDirectory } from '../temporary-directory.js';
import type { FileWorkerReply } from './file-worker.js';

export interface FileReaderLimits {
  timeoutMs: number;
  /** Limit of the thread's allocations. */
  memoryMegabytes: number;
  /** Characters of text. */
  textLength: number;
  /** Files read concurrently; others wait. */
  concurrency: number;
}

/** The compiled worker is next to this file; TypeScript sources (tests) need a loader. */
const workerFile = import.meta.url.endsWith('.ts') ? './test-support/file-worker-from-source.mjs' : './file-worker.js';
const workerUrl = new URL(workerFile, import.meta.url);
const checkMemoryMs = 50;
const megabyte = 1024 * 1024;

/** Reads each file in its own thread, which is terminated if it takes too long or too much memory. */
export class WorkerFileReader implements FileReader {
  readonly #limits: FileReaderLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: FileReaderLimits) {
    this.#limits = limits;
  }

  async read(path: string): Promise<ReadFile> {
    await access(path);
    if (this.#running >= this.#limits.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return this.#bounded(await runWorker(path, this.#limits));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async readPieces(pieces: AsyncIterable<Buffer>): Promise<ReadFile> {
    const directory = await makeTemporaryDirectory();
    try {
      const path = join(directory.path, 'file');
      await pipeline(pieces, createWriteStream(path, { mode: 0o600 }));
      return await this.read(path);
    } finally {
      await directory.remove();
    }
  }

  #bounded(file: ReadFile): ReadFile {
    const isTooLong = 'text' in file && file.text.length > this.#limits.textLength;
    return isTooLong ? { mediaType: file.mediaType, failure: 'too_large' } : file;
  }
}

function runWorker(path: string, { timeoutMs, memoryMegabytes }: FileReaderLimits): Promise<ReadFile> {
  const worker = new Worker(workerUrl, {
    name: 'memhall-file',
    workerData: { path },
    // Messages of libraries about unreadable files are not useful in our log.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let mediaType: string | null = null;
  return new Promise<ReadFile>((resolve) => {
    const fail = (failure: ReadFailure) => resolve(mediaType === null ? { mediaType } : { mediaType, failure });
    const timer = setTimeout(() => fail('took_too_long'), timeoutMs);
    const watch = watchMemory(memoryMegabytes, () => fail('too_large'));
    worker.on('message', (reply: FileWorkerReply) => {
      if (reply.type === 'detected') mediaType = reply.mediaType;
      else resolve(reply.file);
    });
    worker.on('error', (error) => fail(isOutOfMemory(error) ? 'too_large' : 'unreadable'));
    worker.on('exit', () => {
      clearTimeout(timer);
      clearInterval(watch);
      fail('unreadable');
    });
  }).finally(() => worker.terminate());
}

/** A thread's limits do not include buffers, so the memory of the whole process is watched. */
function watchMemory(megabytes: number, onExceeded: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > 2 * megabytes * megabyte) onExceeded();
  }, checkMemoryMs);
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
