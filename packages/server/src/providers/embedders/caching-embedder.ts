import { createHash } from 'node:crypto';
import type { Embedder, EmbedderDescription, EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { SharedFlight } from './shared-flight.js';

interface CachingEmbedderOptions {
  /** Number of cached vectors; the least recently used are dropped first. Default 10,000: 17 MB for 384 dimensions. */
  maxEntries?: number | undefined;
}

/** Embeds equal texts once: within a call, across overlapping calls, and while the vector is cached. */
export class CachingEmbedder implements Embedder {
  readonly #inner: Embedder;
  readonly #maxEntries: number;
  /** In order of use, least recent first. */
  readonly #vectors = new Map<string, Float32Array>();
  /** Separate for queries and passages, so that a query never waits for a long call of passages. */
  readonly #flights: Record<EmbedPurpose, Map<string, SharedFlight>> = { query: new Map(), passage: new Map() };
  #isClosed = false;

  constructor(inner: Embedder, options: CachingEmbedderOptions = {}) {
    this.#inner = inner;
    this.#maxEntries = options.maxEntries ?? 10_000;
  }

  get model(): string {
    return this.#inner.model;
  }

  get dimension(): number {
    return this.#inner.dimension;
  }

  get local(): boolean {
    return this.#inner.local;
  }

  get isReady(): boolean {
    return this.#inner.isReady;
  }

  get waiting(): number {
    return this.#inner.waiting ?? 0;
  }

  get distinguishesPurpose(): boolean {
    return this.#inner.distinguishesPurpose;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { purpose = 'passage', signal } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw new EmbedderError('closed', 'The embedder is closed');
    const keys = texts.map((text) => this.#toKey(text, purpose));
    const found = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    const flights = new Set<SharedFlight>();
    for (const [i, key] of keys.entries()) {
      const vector = this.#recall(key);
      const flight = this.#flights[purpose].get(key);
      if (vector !== undefined) found.set(key, vector);
      else if (flight !== undefined) flights.add(flight);
      else missing.set(key, texts[i] as string);
    }
    if (missing.size > 0) flights.add(this.#start(missing, purpose));
    for (const vectors of await Promise.all([...flights].map((flight) => flight.join(signal)))) {
      for (const [key, vector] of vectors) found.set(key, vector);
    }
    return keys.map((key) => (found.get(key) as Float32Array).slice());
  }

  forgetTexts(): void {
    this.#vectors.clear();
  }

  describe(): EmbedderDescription {
    return this.#inner.describe();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#vectors.clear();
    await this.#inner.close();
  }

  #start(missing: ReadonlyMap<string, string>, purpose: EmbedPurpose): SharedFlight {
    const open = this.#flights[purpose];
    const keys = [...missing.keys()];
    const flight = new SharedFlight(
      async (signal) => {
        const vectors = await this.#inner.embed([...missing.values()], { purpose, signal });
        const byKey = new Map(keys.map((key, i) => [key, vectors[i] as Float32Array]));
        if (!this.#isClosed) for (const [key, vector] of byKey) this.#remember(key, vector);
        return byKey;
      },
      () => {
        for (const key of keys) if (open.get(key) === flight) open.delete(key);
      },
    );
    for (const key of keys) open.set(key, flight);
    return flight;
  }

  #recall(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key);
    if (vector !== undefined) this.#remember(key, vector);
    return vector;
  }

  #remember(key: string, vector: Float32Array): void {
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    if (this.#vectors.size <= this.#maxEntries) return;
    const [oldest] = this.#vectors.keys();
    if (oldest !== undefined) this.#vectors.delete(oldest);
  }

  #toKey(text: string, purpose: EmbedPurpose): string {
    // As UTF-16, because in UTF-8 all lone surrogates would become the same character.
    const hash = createHash('sha256').update(text, 'utf16le').digest('base64');
    return this.distinguishesPurpose ? `${purpose} ${hash}` : hash;
  }
}
