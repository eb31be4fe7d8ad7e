import type { Embedder } from '../../ports/embedder.js';

/** In characters; small models read about half of it. What comes later is found by its words. */
const headLength = 2000;

/**
 * Returns one vector of unit length per text, in order. A long text has the vector of its beginning, which says what it is about: the
 * mean of its pieces is near to everything (see docs/decisions/0081-recall-of-any-talk.md).
 */
export async function embedContents(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const heads = texts.map((text) => (text.length > headLength ? text.slice(0, headLength).toWellFormed() : text));
  return embedder.embed(heads, { purpose: 'passage', signal });
}

/** Scales a vector to unit length. A zero vector is returned unchanged. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  if (length === 0) return vector;
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) unit[i] = (vector[i] as number) / length;
  return unit;
}

/** Only for single-precision numbers: their squares can neither overflow nor vanish in double precision. */
export function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}
