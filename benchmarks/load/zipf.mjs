/**
 * Picks places 0 … count - 1 so that place k comes up in proportion to 1 / (k + 1) ** exponent: a few tenants send most requests, as
 * customers do. With exponent 0 all are alike.
 */
export class Zipf {
  /** Sums of the shares of all places so far. */
  #sums;

  /**
   * @param {number} count
   * @param {number} exponent
   */
  constructor(count, exponent) {
    this.#sums = new Float64Array(count);
    let sum = 0;
    for (let place = 0; place < count; place++) {
      sum += (place + 1) ** -exponent;
      this.#sums[place] = sum;
    }
  }

  /** @param {number} random 0 … 1 */
  pick(random) {
    const wanted = random * (this.#sums.at(-1) ?? 0);
    let low = 0;
    let high = this.#sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
