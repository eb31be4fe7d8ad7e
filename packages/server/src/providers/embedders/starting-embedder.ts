import type { Embedder, EmbedderDescription, EmbedOptions } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { closedError } from './restarting-thread.js';

/** What is known of an embedder before it runs. */
export interface ExpectedEmbedder extends Pick<Embedder, 'model' | 'dimension' | 'distinguishesPurpose'> {
  kind: string;
}

interface StartingEmbedderOptions {
  expected: ExpectedEmbedder;
  start(): Promise<Embedder>;
  onFault(error: unknown, doing: string): void;
  now?(): number;
}

/** After a failed start, calls fail without another one for this time. */
const RETRY_MS = 60_000;

/**
 * A local embedder that starts in the background, so that nobody waits for its model. Calls do wait, so callers that
 * can do without a vector look at `isReady` first. If the start fails, a later call starts it again.
 */
export class StartingEmbedder implements Embedder {
  readonly local = true;
  readonly #options: StartingEmbedderOptions;
  #started: Embedder | undefined;
  #starting: Promise<Embedder> | undefined;
  #failure: { error: unknown; at: number } | undefined;
  #isClosed = false;

  constructor(options: StartingEmbedderOptions) {
    this.#options = options;
    this.#start().catch(() => undefined);
  }

  get model(): string {
    return this.#options.expected.model;
  }

  get dimension(): number {
    return this.#options.expected.dimension;
  }

  get distinguishesPurpose(): boolean {
    return this.#options.expected.distinguishesPurpose;
  }

  get waiting(): number {
    return this.#started?.waiting ?? 0;
  }

  get isReady(): boolean {
    return this.#started !== undefined;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    if (texts.length === 0) return [];
    const embedder = this.#started ?? (await abortable(this.#start(), signal));
    return embedder.embed(texts, options);
  }

  describe(): EmbedderDescription {
    if (this.#started !== undefined) return this.#started.describe();
    const { kind, model, dimension } = this.#options.expected;
    const about = { kind, model, dimension, runtime: 'none yet' };
    if (this.#failure === undefined) return { ...about, status: 'starting' };
    const { error } = this.#failure;
    return { ...about, status: 'failed', note: error instanceof Error ? error.message : String(error) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const embedder = await this.#starting?.catch(() => undefined);
    await embedder?.close();
  }

  #start(): Promise<Embedder> {
    const { now = Date.now } = this.#options;
    if (this.#failure !== undefined && now() - this.#failure.at < RETRY_MS) return Promise.reject(this.#failure.error);
    this.#starting ??= this.#begin(now).finally(() => {
      if (this.#started === undefined) this.#starting = undefined;
    });
    return this.#starting;
  }

  async #begin(now: () => number): Promise<Embedder> {
    this.#failure = undefined;
    try {
      const embedder = await this.#options.start();
      const { dimension } = this.#options.expected;
      if (embedder.dimension !== dimension) {
        await embedder.close();
        throw new EmbedderError(
          'misconfigured',
          `The model declares vectors of length ${dimension} and returns ${embedder.dimension}`,
        );
      }
      if (!this.#isClosed) this.#started = embedder;
      return embedder;
    } catch (error) {
      if (this.#isClosed) throw closedError();
      this.#failure = { error, at: now() };
      this.#options.onFault(error, 'starting the embedder');
      throw error;
    }
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
