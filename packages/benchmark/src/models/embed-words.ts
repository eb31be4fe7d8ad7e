import { createHash } from 'node:crypto';

export const wordDimensions = 384;

/** A vector of the words of a text and their beginnings. Texts with common words are near each other; it knows no meanings. */
export function embedWords(text: string): number[] {
  const vector = new Array<number>(wordDimensions).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const part of words.flatMap((word) => [word, word.slice(0, 5)])) {
    const digest = createHash('md5').update(part).digest();
    const place = digest.readUInt16LE(0) % wordDimensions;
    vector[place] = (vector[place] ?? 0) + ((digest[2] ?? 0) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
