/** One bit per word of a 32-bit number; of longer queries, only the rarest words count. */
const mostWords = 32;
const byte = 0xff;

/** Records which of a query's words each row has, and what share of the query they make up. */
export class WordCoverage {
  readonly #words: Int32Array;
  /** By index of a term in the query: its bit, or 0. */
  readonly #bits: Int32Array;
  /** For each group of eight words, the share of every combination of them. */
  readonly #shares: Float32Array[];

  /** `worth`: weight of each term of the query, by index; 0 for terms that are not words. */
  constructor(rows: number, worth: readonly number[]) {
    this.#words = new Int32Array(rows);
    this.#bits = new Int32Array(worth.length);
    const total = worth.reduce((sum, one) => sum + one, 0);
    const places = [...worth.keys()].filter((place) => (worth[place] as number) > 0);
    const rarest = places.sort((a, b) => (worth[b] as number) - (worth[a] as number)).slice(0, mostWords);
    this.#shares = Array.from({ length: Math.ceil(rarest.length / 8) }, () => new Float32Array(byte + 1));
    for (const [number, place] of rarest.entries()) {
      this.#bits[place] = 1 << number;
      addWord(this.#shares[number >> 3] as Float32Array, 1 << (number & 7), (worth[place] as number) / total);
    }
  }

  note(row: number, place: number): void {
    this.#words[row] = (this.#words[row] as number) | (this.#bits[place] as number);
  }

  /** Returns the words of a row, one bit each. */
  of(row: number): number {
    return this.#words[row] as number;
  }

  /** Returns the share of the query that these words make up, 0 … 1. */
  share(words: number): number {
    if (words === 0) return 0;
    let sum = 0;
    for (let number = 0; number < this.#shares.length; number++)
      sum += (this.#shares[number] as Float32Array)[(words >>> (8 * number)) & byte] as number;
    return sum;
  }
}

function addWord(shares: Float32Array, bit: number, share: number): void {
  for (let choice = 0; choice < shares.length; choice++)
    if ((choice & bit) !== 0) shares[choice] = (shares[choice] as number) + share;
}
