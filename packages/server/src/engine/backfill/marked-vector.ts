import { createHash } from 'node:crypto';
import { toUnit } from '../memories/embed-contents.js';

/** Cosine with the unmarked vector: 0.9998. Large enough to survive a store that keeps half-precision numbers. */
const markLength = 0.02;

/**
 * Moves a unit vector a little in a direction that depends on the id. Texts that are equal then have vectors that
 * differ, so that a search for this vector finds this memory first, however many others have the same text.
 */
export function markedVector(vector: Float32Array, id: string): number[] {
  const bytes = createHash('shake256', { outputLength: vector.length }).update(id).digest();
  const direction = toUnit(Float32Array.from(bytes, (byte) => byte - 127.5));
  return [...toUnit(vector.map((value, at) => value + markLength * (direction[at] as number)))];
}
