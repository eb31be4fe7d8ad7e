import type { Embedder, EmbedderDescription, EmbedOptions } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { EmbedQueue } from './embed-queue.js';
import type { MinilmEngineOptions } from './load-minilm-engine.js';
import { MINILM_DIMENSION, MINILM_MODEL } from './minilm-model.js';
import { MinilmWorkerClient } from './minilm-worker-client.js';
import { prepareText } from './prepare-text.js';

interface MinilmEmbedderOptions {
  /** Default `auto`: the native runtime if it loads, else WebAssembly. */
  runtime?: MinilmEngineOptions['runtime'] | undefined;
  /**
   * Threads of the native runtime. Default 1: a second thread helps only if there are idle cores; on two busy cores it
   * gained nothing.
   */
  threads?: number | undefined;
  /**
   * Cache for the model converted for the native runtime (35 MB); without it, every start converts the model (0.5 s).
   */
  cacheDirectory?: string | undefined;
}

/**
 * Runs all-MiniLM-L6-v2 on its own thread, offline. Resolves when the model is loaded, so that missing or damaged model
 * files are detected at startup.
 */
export async function openMinilmEmbedder(options: MinilmEmbedderOptions = {}): Promise<MinilmEmbedder> {
  const { runtime = 'auto', threads = 1, cacheDirectory } = options;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new EmbedderError(
      'misconfigured',
      `The number of embedder threads must be a whole number of at least 1, not ${threads}`,
    );
  }
  const engineOptions = { runtime, threads, cacheDirectory };
  return new MinilmEmbedder(engineOptions, await MinilmWorkerClient.start(engineOptions));
}

export class MinilmEmbedder implements Embedder {
  readonly model = MINILM_MODEL;
  readonly dimension = MINILM_DIMENSION;
  readonly local = true;
  readonly distinguishesPurpose = false;
  readonly #options: MinilmEngineOptions;
  readonly #queue = new EmbedQueue();
  #worker: MinilmWorkerClient;
  #isDraining = false;
  #isClosed = false;

  /** Use `openMinilmEmbedder`. */
  constructor(options: MinilmEngineOptions, worker: MinilmWorkerClient) {
    this.#options = options;
    this.#worker = worker;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    options.signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    if (texts.length === 0) return [];
    const vectors = this.#queue.add(texts.map(prepareText), options);
    void this.#drain();
    return vectors;
  }

  describe(): EmbedderDescription {
    const { runtime, note } = this.#worker.about;
    const description = { kind: 'minilm', model: this.model, dimension: this.dimension, runtime };
    return note === undefined ? description : { ...description, note };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.rejectAll(closedError());
    await this.#worker.stop();
  }

  /** Never rejects. The worker has one batch at a time, so a query is next as soon as that batch is done. */
  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    try {
      while (!this.#queue.isEmpty && !this.#isClosed) await this.#embedNext();
    } finally {
      this.#isDraining = false;
    }
  }

  async #embedNext(): Promise<void> {
    try {
      await this.#restartIfLost();
    } catch (error) {
      this.#queue.rejectAll(error);
      return;
    }
    const batch = this.#queue.take(this.#worker.about.batchTokens);
    if (batch === undefined) return;
    try {
      batch.resolve(await this.#worker.embed(batch.texts));
    } catch (error) {
      batch.reject(error);
      if (!this.#worker.isAlive) this.#queue.rejectAll(error);
    }
  }

  async #restartIfLost(): Promise<void> {
    if (this.#worker.isAlive) return;
    const worker = await MinilmWorkerClient.start(this.#options);
    if (this.#isClosed) {
      await worker.stop();
      throw closedError();
    }
    this.#worker = worker;
  }
}

function closedError(): EmbedderError {
  return new EmbedderError('closed', 'The embedder is closed');
}
