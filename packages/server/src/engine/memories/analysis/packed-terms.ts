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

/**
 * Reads the entries from `start` to `end` into columns, starting at `target`. Returns the position for the next entry.
 */
export function unpackTerms(
  packed: Uint8Array,
  [start, end]: readonly [number, number],
  columns: { hashes: Uint32Array; counts: Uint8Array },
  target: number,
): number {
  let at = target;
  for (let from = start; from < end; from += entryBytes) {
    columns.hashes[at] =
      ((packed[from] ?? 0) * 0x1000000 +
        ((packed[from + 1] ?? 0) << 16) +
        ((packed[from + 2] ?? 0) << 8) +
        (packed[from + 3] ?? 0)) >>>
      0;
    columns.counts[at] = packed[from + 4] ?? 0;
    at += 1;
  }
  return at;
}

export function entryCount(bytes: number): number {
  return bytes / entryBytes;
}
