import { splitText } from '@memhall/core';
import type { Embedder } from '../../ports/embedder.js';

/** Longer texts exceed the windows of small models: their vector is the mean of the vectors of their pieces. */
const pieceLength = 1000;
/** A mean of more pieces is too unspecific. Text beyond this limit can still be found by its words. */
const maxPieces = 32;

/** Returns one vector of unit length per text, in order. */
export async function embedContents(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const split = texts.map((text) => splitText(text, pieceLength).slice(0, maxPieces));
  const vectors = await embedder.embed(split.flat(), { purpose: 'passage', signal });
  let at = 0;
  return split.map((pieces) => {
    const own = vectors.slice(at, at + pieces.length);
    at += pieces.length;
    return own.length === 1 ? (own[0] as Float32Array) : meanOf(own, embedder.dimension);
  });
}

function meanOf(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  for (const vector of vectors) for (let i = 0; i < dimension; i++) mean[i] = (mean[i] ?? 0) + (vector[i] ?? 0);
  return toUnit(mean);
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
