import { Worker } from 'node:worker_threads';
import { Problem } from '@memhall/core';
import { ThreadLimitError, type Threads, type ThreadTask } from '../../ports/threads.js';
import type { ThreadInput, ThreadReply } from './thread-entry.js';

interface ThreadLimits {
  timeoutMs: number;
  /** Limit of a thread's allocations. */
  memoryMegabytes: number;
  /** Threads that run at once; other calls wait. */
  concurrency: number;
}

/** Runs each task in its own thread, which ends with it. */
export class WorkerThreads implements Threads {
  readonly #limits: ThreadLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  async call<T>(task: ThreadTask, input: unknown, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<T> {
    if (this.#running >= this.#limits.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      signal?.throwIfAborted();
      return (await runWorker(task, input, this.#limits, signal)) as T;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

function runWorker(
  { module, name }: ThreadTask,
  input: unknown,
  { timeoutMs, memoryMegabytes }: ThreadLimits,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const moved = input instanceof Uint8Array ? movable(input) : undefined;
  const workerData: ThreadInput = { module: compiled(module), name, input: moved ?? input };
  const worker = new Worker(new URL('./thread-entry.js', compiled(import.meta.url)), {
    name: 'memhall-task',
    workerData,
    // Options such as conditions for the resolution of modules are for the main thread's sources.
    execArgv: [],
    transferList: moved === undefined ? [] : [moved.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 64 },
  });
  return new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => reject(new ThreadLimitError('took_too_long')), timeoutMs);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (reply: ThreadReply) => {
      if (reply.type === 'result') resolve(reply.result);
      else reject(new Problem(reply.code, reply.message, reply.options));
    });
    worker.on('error', (error) => reject(isOutOfMemory(error) ? new ThreadLimitError('too_large') : error));
    worker.on('exit', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      reject(new Error('a thread ended without a result'));
    });
  }).finally(() => worker.terminate());
}

/** Small buffers share memory with others, which cannot be moved. */
function movable(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = input.byteLength === input.buffer.byteLength && input.buffer instanceof ArrayBuffer;
  return isWhole ? (input as Uint8Array<ArrayBuffer>) : new Uint8Array(input);
}

/** Threads cannot run TypeScript, so tests use the modules that were built. */
function compiled(url: string): string {
  return url.endsWith('.ts') ? url.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js') : url;
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
