/** A model on the calling thread. It runs one call at a time. */
export interface ModelEngine {
  readonly runtime: string;
  /**
   * Returns the vector of a text; a reranker, which gets a passage too, returns one number: how well the passage answers
   * the text. One text at a time: in a batch, sums are added up in another order, and models that quantise whole tensors
   * give a text another result in another batch. Batches took 7 % less processor time.
   */
  run(text: string, passage?: string): Promise<Float32Array>;
}
