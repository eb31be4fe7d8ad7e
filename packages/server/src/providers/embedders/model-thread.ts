import { Worker } from 'node:worker_threads';
import { EmbedderError } from '../../ports/embedder-error.js';
import type { EngineOptions } from './load-engine.js';
import { BUSY, type WorkerInput, type WorkerReply, type WorkerRequest } from './model-worker-messages.js';
import { disableOnnxTelemetry } from './onnx-telemetry.js';

/** The compiled worker is next to this file. Threads cannot run TypeScript, so tests use the one that was built. */
const WORKER_FILE = import.meta.url.endsWith('.ts')
  ? '../../../dist/providers/embedders/model-worker.js'
  : './model-worker.js';
const WORKER_URL = new URL(WORKER_FILE, import.meta.url);
const MAX_STOP_MS = 10_000;

type ReadyReply = Extract<WorkerReply, { type: 'ready' }>;

interface Waiting {
  resolve(reply: WorkerReply): void;
  reject(error: EmbedderError): void;
}

/**
 * The thread that owns the model. It keeps the process alive only while it starts or works.
 *
 * Hazard: ending the thread inside a native call aborts the whole process. It is therefore asked to stop instead of
 * being terminated, and a process that exits in the meantime waits for the current call.
 */
export class ModelThread {
  readonly #worker: Worker;
  readonly #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #exited: Promise<void>;
  #waiting: Waiting | undefined;
  #isAlive = true;
  #about: ReadyReply = { type: 'ready', runtime: '', size: 0, note: undefined };

  private constructor(options: EngineOptions, workerUrl: URL) {
    const workerData: WorkerInput = { options, state: this.#state };
    Atomics.store(this.#state, 0, BUSY);
    disableOnnxTelemetry();
    // Flags of the process, such as `--input-type`, can be wrong for another script.
    this.#worker = new Worker(workerUrl, { name: 'memhall-model', workerData, execArgv: [] });
    process.on('exit', this.#waitWhileBusy);
    this.#worker.on('message', (reply: WorkerReply) => this.#settle((waiting) => waiting.resolve(reply)));
    this.#worker.on('error', (error) => this.#lose(error instanceof Error ? error.message : String(error)));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        process.off('exit', this.#waitWhileBusy);
        this.#lose(`it exited with code ${code}`);
        resolve();
      });
    });
  }

  /** @param workerUrl another script with the same messages, for tests */
  static async start(options: EngineOptions, workerUrl: URL = WORKER_URL): Promise<ModelThread> {
    const client = new ModelThread(options, workerUrl);
    try {
      const reply = await client.#nextReply();
      if (reply.type !== 'ready') throw toError(reply);
      client.#about = reply;
      return client;
    } catch (error) {
      await client.stop();
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get about(): ReadyReply {
    return this.#about;
  }

  /** See `ModelEngine.run`. Only one call at a time. */
  async run(text: string, passage?: string): Promise<Float32Array> {
    const answer = this.#nextReply();
    Atomics.store(this.#state, 0, BUSY);
    this.#send({ type: 'run', text, passage });
    const reply = await answer;
    if (reply.type !== 'numbers') throw toError(reply);
    return reply.numbers;
  }

  /** Resolves when the thread has ended, after its current call if there is one; that call rejects at once. */
  async stop(): Promise<void> {
    this.#lose('it was stopped');
    this.#send({ type: 'stop' });
    this.#worker.ref();
    const timer = setTimeout(() => void this.#worker.terminate(), MAX_STOP_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }

  #nextReply(): Promise<WorkerReply> {
    return new Promise((resolve, reject) => {
      if (!this.#isAlive) {
        reject(new EmbedderError('unavailable', "The model's thread has ended"));
        return;
      }
      this.#worker.ref();
      this.#waiting = { resolve, reject };
    });
  }

  #settle(action: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#worker.unref();
    if (waiting !== undefined) action(waiting);
  }

  #lose(reason: string): void {
    this.#isAlive = false;
    const error = new EmbedderError('unavailable', `The model's thread was lost: ${reason}`);
    this.#settle((waiting) => waiting.reject(error));
  }

  readonly #waitWhileBusy = (): void => {
    Atomics.wait(this.#state, 0, BUSY, MAX_STOP_MS);
  };
}

function toError(reply: WorkerReply): EmbedderError {
  if (reply.type === 'failed') return new EmbedderError(reply.code, reply.message);
  return new EmbedderError('unavailable', `The model's thread sent an unexpected '${reply.type}'`);
}
