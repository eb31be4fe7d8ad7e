/**
 * The words of a memory as stored for recall: five bytes each, the word's 32-bit hash (big-endian) and its number of
 * occurrences. A count of zero marks a word of the speaker's name; these come last.
 */
const entryBytes = 5;
const maxCount = 255;

export const labelCount = 0;

/** FNV-1a over UTF-16 code units, then mixed: spreads short words over all 32 bits. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A word of a speaker's name is a different term than the same word in the text. */
export function hashLabel(term: string): number {
  return hashTerm(`@${term}`);
}

export function packTerms(terms: readonly string[], labels: readonly string[]): Uint8Array {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const hash = hashTerm(term);
    counts.set(hash, Math.min(maxCount, (counts.get(hash) ?? 0) + 1));
  }
  for (const label of labels) counts.set(hashLabel(label), labelCount);
  const packed = new Uint8Array(counts.size * entryBytes);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const [hash, count] of counts) {
    view.setUint32(at, hash);
    view.setUint8(at + 4, count);
    at += entryBytes;
  }
  return packed;
}

/** Reads all entries into columns, starting at `target`. */
export function unpackTerms(
  packed: Uint8Array,
  { hashes, counts }: { hashes: Uint32Array; counts: Uint8Array },
  target: number,
): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let from = 0, at = target; from < packed.length; from += entryBytes, at++) {
    hashes[at] = view.getUint32(from);
    counts[at] = view.getUint8(from + 4);
  }
}

export function entryCount(bytes: number): number {
  return bytes / entryBytes;
}
