/** Computes vectors on the calling thread, one call at a time. */
export interface EmbeddingEngine {
  readonly runtime: string;
  /**
   * Number of padded word pieces that take about 10 ms: the target size of a batch, so that queries do not wait long.
   */
  readonly batchTokens: number;
  /**
   * Returns row-major [texts, dimension], in the order of `texts`. There is at least one text, and all are already cut
   * to size.
   */
  embed(texts: readonly string[]): Promise<Float32Array>;
}
