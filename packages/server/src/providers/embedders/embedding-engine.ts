/** Computes vectors on the calling thread, one call at a time. */
export interface EmbeddingEngine {
  readonly runtime: string;
  /** Padded word pieces that take about 10 ms: what a batch should hold, so that queries needn't wait long. */
  readonly batchTokens: number;
  /** Row-major [texts, dimension], in the order of `texts`, which are never none and already cut to size. */
  embed(texts: readonly string[]): Promise<Float32Array>;
}
