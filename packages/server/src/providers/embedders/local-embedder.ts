import type { Embedder, EmbedderDescription, EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { EmbedQueue } from './embed-queue.js';
import type { EngineOptions } from './load-engine.js';
import { MinilmWorkerClient } from './minilm-worker-client.js';
import { prepareText } from './prepare-text.js';

export interface LocalModel {
  kind: string;
  model: string;
  /** Put before every text, as the model was trained with. */
  prefixes: Record<EmbedPurpose, string>;
}

/** Runs a model on its own thread. */
export class LocalEmbedder implements Embedder {
  readonly model: string;
  readonly dimension: number;
  readonly local = true;
  readonly distinguishesPurpose: boolean;
  readonly #about: LocalModel;
  readonly #options: EngineOptions;
  readonly #queue = new EmbedQueue();
  #worker: MinilmWorkerClient;
  #isDraining = false;
  #isClosed = false;

  /** Use `openMinilmEmbedder` or `openOnnxEmbedder`. */
  constructor(about: LocalModel, options: EngineOptions, worker: MinilmWorkerClient) {
    this.model = about.model;
    this.dimension = worker.about.dimension;
    this.distinguishesPurpose = about.prefixes.query !== about.prefixes.passage;
    this.#about = about;
    this.#options = options;
    this.#worker = worker;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    options.signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    if (texts.length === 0) return [];
    const prefix = this.#about.prefixes[options.purpose ?? 'passage'];
    const prepared = texts.map((text) => `${prefix}${prepareText(text)}`);
    const vectors = this.#queue.add(prepared, options);
    void this.#drain();
    return vectors;
  }

  describe(): EmbedderDescription {
    const { runtime, note } = this.#worker.about;
    const description = { kind: this.#about.kind, model: this.model, dimension: this.dimension, runtime };
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
