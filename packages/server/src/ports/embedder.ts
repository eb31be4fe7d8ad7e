/** A query is answered before passages that wait; an embedder may also embed the two differently. */
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
  /** What computes the vectors, for `doctor` and health: a library with its version, or a host. */
  runtime: string;
  /** Something an operator should know, such as why a slower runtime is in use. */
  note?: string;
}

/**
 * Turns texts into vectors of one fixed length.
 *
 * Order and count: `embed` answers one vector per text, in the order of the texts; no texts give no vectors.
 * Vectors: unit length, finite, never shared between callers or with the adapter: the caller owns them.
 * Inputs: every string is accepted, including empty, ill-formed UTF-16 and very long ones; what exceeds the model's
 * window is cut at its end, silently.
 * Stability: the same text gives the same vector (cosine at least 0.98 across runtimes of one model), whatever it is
 * batched with. Vectors of different `model` names must never be compared.
 * Errors: `EmbedderError`, or the signal's own reason after an abort. A call fails as a whole; nothing partial.
 * Idempotency: no call has side effects, so a failed one may be repeated.
 * Concurrency: calls may overlap freely; each adapter bounds its own work. Queries overtake waiting passages.
 * Abort: the promise rejects at once with `signal.reason`; work not yet started is dropped.
 */
export interface Embedder {
  /** Stable name stored beside every vector. Vectors of one name have one dimension, today and after any change of settings. */
  readonly model: string;
  readonly dimension: number;
  /** True: cheap enough to run before a write answers. */
  readonly local: boolean;
  /** True: the same text gives different vectors as query and as passage, so caches must keep them apart. */
  readonly distinguishesPurpose: boolean;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Drops what is kept of texts seen before; absent where nothing is. */
  forgetTexts?(): void;
  describe(): EmbedderDescription;
  /** Open calls reject with `closed`, as do later ones. Closing twice is allowed. */
  close(): Promise<void>;
}
