/** A query is embedded before passages of long calls; an embedder may also embed the two differently. */
export type EmbedPurpose = 'query' | 'passage';

export interface EmbedOptions {
  /** Default: `passage`. */
  purpose?: EmbedPurpose | undefined;
  signal?: AbortSignal | undefined;
}

export interface EmbedderDescription {
  kind: string;
  model: string;
  dimension: number;
  /** The library with its version, or the host, that computes the vectors; for `doctor` and health. */
  runtime: string;
  /** `failed`: it could not be started; a later call tries again. */
  status: 'ready' | 'starting' | 'failed';
  /** Something an operator should know, such as why a slower runtime is in use, or why it failed. */
  note?: string;
}

/**
 * Turns texts into vectors of one fixed length.
 *
 * Order and count: `embed` returns one vector per text, in the order of the texts; no texts give no vectors.
 * Vectors: unit length, finite, never shared between callers or with the adapter: the caller owns them.
 * Inputs: every string is accepted, including empty, ill-formed UTF-16 and very long ones. Text beyond the model's
 * window is silently cut off.
 * Stability: the same text gives the same vector (cosine at least 0.98 across runtimes of one model), regardless of its
 * batch. Vectors of different `model` names must never be compared.
 * Errors: `EmbedderError`, or the signal's reason after an abort. A call fails as a whole; there are no partial
 * results.
 * Idempotency: calls have no side effects, so a failed one may be repeated.
 * Concurrency: calls may overlap freely; each adapter limits its own work. Queries and calls of a few texts overtake long calls.
 * Abort: the promise rejects at once with `signal.reason`; work not yet started is dropped.
 */
export interface Embedder {
  /**
   * Stable name stored with every vector. All vectors of one name have the same dimension, now and after any change of
   * settings.
   */
  readonly model: string;
  readonly dimension: number;
  /** True if it is cheap enough to run before a write returns. */
  readonly local: boolean;
  /** False until its model is loaded: calls wait for it, so a caller that can do without a vector does not call. */
  readonly isReady: boolean;
  /** Number of calls that wait for the model; absent if it does not run in this process. */
  readonly waiting?: number;
  /** True if the same text gives different vectors as query and as passage, so caches must keep them apart. */
  readonly distinguishesPurpose: boolean;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Drops cached data about texts seen before; absent if there is no cache. */
  forgetTexts?(): void;
  describe(): EmbedderDescription;
  /** Pending and later calls reject with `closed`. Idempotent. */
  close(): Promise<void>;
}
