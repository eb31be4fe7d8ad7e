import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileReader, ReadFile } from '../../ports/file-reader.js';
import { makeTemporaryDirectory } from '../temporary-directory.js';
import { boundText } from './read-bytes.js';
import type { ThreadedLimits } from './read-in-thread.js';
import { maxPlainBytes, readPlainText } from './read-plain-text.js';
import { ReaderProcess } from './reader-process.js';

export interface FileReaderLimits extends ThreadedLimits {
  /** Files read concurrently, each in a process; others wait. */
  concurrency: number;
}

/** How long a process waits for another file. */
const idleMs = 30_000;

/**
 * Reads files in processes of their own, because memory that a file once took may never be returned by the process that took it. A
 * process is used again unless it keeps too much. Small plain texts are read here.
 */
export class ProcessFileReader implements FileReader {
  readonly #limits: FileReaderLimits;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: ReaderProcess[] = [];
  readonly #timers = new Map<ReaderProcess, NodeJS.Timeout>();
  #running = 0;
  #isClosed = false;

  constructor(limits: FileReaderLimits) {
    this.#limits = limits;
  }

  async read(path: string): Promise<ReadFile> {
    const plain = await readSmall(path);
    if (plain !== undefined) return boundText(plain, this.#limits.textLength);
    if (this.#running >= this.#limits.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await this.#readInProcess(path);
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

  /** Ends the processes that have nothing to do, and later those that have. */
  close(): void {
    this.#isClosed = true;
    for (const idle of this.#idle.splice(0)) this.#end(idle);
  }

  async #readInProcess(path: string): Promise<ReadFile> {
    const { timeoutMs, memoryMegabytes, textLength } = this.#limits;
    const reader = this.#take();
    try {
      return await reader.read(path, { timeoutMs, memoryMegabytes, textLength });
    } finally {
      if (reader.isWorn || this.#isClosed) this.#end(reader);
      else this.#keep(reader);
    }
  }

  #take(): ReaderProcess {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(this.#timers.get(idle));
      if (!idle.isWorn) return idle;
      this.#end(idle);
    }
    return new ReaderProcess();
  }

  #keep(reader: ReaderProcess): void {
    this.#idle.push(reader);
    const end = () => {
      this.#idle.splice(this.#idle.indexOf(reader), 1);
      this.#end(reader);
    };
    this.#timers.set(reader, setTimeout(end, idleMs).unref());
  }

  #end(reader: ReaderProcess): void {
    clearTimeout(this.#timers.get(reader));
    this.#timers.delete(reader);
    reader.end();
  }
}

/** Returns undefined if the file is large or more than plain text. Rejects if it cannot be opened. */
async function readSmall(path: string): Promise<ReadFile | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size > maxPlainBytes ? undefined : await readPlainText(await file.readFile());
  } finally {
    await file.close();
  }
}
