import type { IndexRows } from '../../../ports/memory-index.js';

type VectorRows = Pick<IndexRows, 'count' | 'vectors' | 'signs' | 'embedded'>;

/**
 * The vectors of a segment's rows, by slot. Of some rows only the signs may be known: ranking estimates most cosines from
 * them, so that vectors can be loaded later.
 */
export class RowVectors {
  readonly dimension: number;
  /** Numbers per slot in `signs`. */
  readonly signWords: number;
  /** `dimension` numbers per slot. May end before the last slot. */
  numbers = new Float32Array();
  /** 0 for a row whose vector is not loaded yet. */
  loaded = new Uint8Array();
  /** Number of rows whose vectors are not loaded yet. */
  lacking = 0;
  #signs = new Int32Array();
  /** Number of slots whose signs are known. */
  #signed = 0;
  #capacity = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.signWords = Math.ceil(dimension / 32);
  }

  get bytesPerSlot(): number {
    return 4 * this.dimension + 4 * this.signWords + 1;
  }

  reserve(capacity: number): void {
    this.#capacity = capacity;
    this.loaded = grown(this.loaded, new Uint8Array(capacity));
  }

  /** Adds rows that got the slots from `first` on. */
  append({ count, vectors, signs, embedded }: VectorRows, first: number): void {
    if (signs !== null) this.#appendSigns(signs, embedded, first);
    else {
      this.#reserveNumbers();
      this.loaded.fill(1, first, first + count);
      this.numbers.set(vectors, first * this.dimension);
    }
  }

  /** Sets a vector that was not loaded. */
  set(slot: number, vector: Float32Array): void {
    if (this.loaded[slot] === 1) return;
    this.#reserveNumbers();
    this.numbers.set(vector, slot * this.dimension);
    this.giveUp(slot);
  }

  /** No longer waits for the vector of a row: there is none. */
  giveUp(slot: number): void {
    if (this.loaded[slot] === 1) return;
    this.loaded[slot] = 1;
    this.lacking -= 1;
  }

  /**
   * Returns the signs of all vectors: one bit per dimension, set if the vector is positive there, 32 dimensions per number. Computed
   * on first use, because small scopes never need them.
   */
  signs(size: number): Int32Array {
    this.#sign(size);
    return this.#signs;
  }

  /** Moves the slots that `kept` lists to the front, in order. */
  compact(kept: readonly number[]): void {
    const { dimension, signWords } = this;
    let signed = 0;
    for (const [to, from] of kept.entries()) {
      this.numbers.copyWithin(to * dimension, from * dimension, (from + 1) * dimension);
      this.loaded[to] = this.loaded[from] ?? 0;
      if (from >= this.#signed) continue;
      this.#signs.copyWithin(to * signWords, from * signWords, (from + 1) * signWords);
      signed += 1;
    }
    this.#signed = signed;
  }

  #appendSigns(signs: Uint8Array, embedded: Uint8Array, first: number): void {
    this.#sign(first);
    this.#reserveSigns();
    const bytes = new Uint8Array(this.#signs.buffer);
    const [rowBytes, slotBytes] = [Math.ceil(this.dimension / 8), 4 * this.signWords];
    if (rowBytes === slotBytes) bytes.set(signs, first * slotBytes);
    for (let index = 0; index < embedded.length; index++) {
      const slot = first + index;
      for (let byte = 0; byte < rowBytes && rowBytes !== slotBytes; byte++)
        bytes[slot * slotBytes + byte] = signs[index * rowBytes + byte] as number;
      this.loaded[slot] = embedded[index] === 1 ? 0 : 1;
      this.lacking += embedded[index] ?? 0;
    }
    this.#signed = first + embedded.length;
  }

  #sign(size: number): void {
    if (this.#signed >= size) return;
    this.#reserveSigns();
    const { dimension, signWords } = this;
    for (; this.#signed < size; this.#signed++)
      writeSigns(this.numbers, this.#signed * dimension, dimension, this.#signs, this.#signed * signWords);
  }

  #reserveSigns(): void {
    const length = this.#capacity * this.signWords;
    if (this.#signs.length < length) this.#signs = grown(this.#signs, new Int32Array(length));
  }

  #reserveNumbers(): void {
    const length = this.#capacity * this.dimension;
    if (this.numbers.length < length) this.numbers = grown(this.numbers, new Float32Array(length));
  }
}

export function signsOf(vector: Float32Array): Int32Array {
  const signs = new Int32Array(Math.ceil(vector.length / 32));
  writeSigns(vector, 0, vector.length, signs, 0);
  return signs;
}

/** The first dimension is the highest bit of the first byte, as in pgvector. */
function writeSigns(from: Float32Array, start: number, dimension: number, to: Int32Array, at: number): void {
  for (let word = 0; 32 * word < dimension; word++) {
    const end = Math.min(32, dimension - 32 * word);
    let bits = 0;
    for (let bit = 0; bit < end; bit++) if ((from[start + 32 * word + bit] as number) > 0) bits |= 1 << (bit ^ 7);
    to[at + word] = bits;
  }
}

export function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
