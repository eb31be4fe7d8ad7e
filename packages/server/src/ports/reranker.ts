import type { EmbedderDescription } from './embedder.js';

export type RerankerDescription = Omit<EmbedderDescription, 'dimension'>;

/**
 * Says how well passages answer a query, by reading each together with it.
 *
 * Order and count: `rank` returns one number per passage, in their order; a greater one is better. The numbers of one call can
 * be compared with each other, and with nothing else.
 * Inputs: every string is accepted. Text beyond the model's window is silently cut off.
 * Errors: `EmbedderError`, or the signal's reason after an abort. A call fails as a whole.
 * Concurrency: calls may overlap; they take turns.
 */
export interface Reranker {
  /** False until its model is loaded, and if that failed: calls then reject. */
  readonly isReady: boolean;
  rank(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]>;
  describe(): RerankerDescription;
  /** Pending and later calls reject with `closed`. Idempotent. */
  close(): Promise<void>;
}
