import type { Embedder, EmbedderDescription, EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';
import { EmbedQueue } from './embed-queue.js';
import type { EngineOptions } from './load-engine.js';
import type { ModelThread } from './model-thread.js';
import { prepareText } from './prepare-text.js';
import { closedError, RestartingThread } from './restarting-thread.js';

interface LocalModel {
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
  readonly isReady = true;
  readonly distinguishesPurpose: boolean;
  readonly #about: LocalModel;
  readonly #queue = new EmbedQueue();
  readonly #thread: RestartingThread;
  #isDraining = false;
  #isClosed = false;

  /** Use `openMinilmEmbedder` or `openOnnxEmbedder`. */
  constructor(about: LocalModel, options: EngineOptions, thread: ModelThread) {
    this.model = about.model;
    this.dimension = thread.about.size;
    this.distinguishesPurpose = about.prefixes.query !== about.prefixes.passage;
    this.#about = about;
    this.#thread = new RestartingThread(options, thread);
  }

  get waiting(): number {
    return this.#queue.length;
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
    const { runtime, note } = this.#thread.about;
    const { model, dimension } = this;
    const description = { kind: this.#about.kind, model, dimension, runtime, status: 'ready' as const };
    return note === undefined ? description : { ...description, note };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.rejectAll(closedError());
    await this.#thread.close();
  }

  /** Never rejects. The thread has one text at a time, so a query is next as soon as that is done. */
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
      await this.#thread.restartIfLost();
    } catch (error) {
      this.#queue.rejectAll(error);
      return;
    }
    const turn = this.#queue.take();
    if (turn === undefined) return;
    try {
      turn.resolve(await this.#thread.run(turn.text));
    } catch (error) {
      turn.reject(error);
      if (!this.#thread.isAlive) this.#queue.rejectAll(error);
    }
  }
}
