import { createHistogram } from 'node:perf_hooks';

/**
 * @typedef {object} TimesSummary in milliseconds
 * @property {number} count
 * @property {number} p50
 * @property {number} p90
 * @property {number} p99
 * @property {number} p999
 * @property {number} max
 */

/** Times in an HDR histogram, exact to three digits. */
export class Times {
  #microseconds = createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 });

  /** @param {number} ms */
  add(ms) {
    this.#microseconds.record(Math.max(1, Math.round(ms * 1000)));
  }

  get count() {
    return this.#microseconds.count;
  }

  /** @returns {TimesSummary} */
  summarise() {
    const of = (/** @type {number} */ percentile) =>
      this.count === 0 ? 0 : Math.round(this.#microseconds.percentile(percentile) / 10) / 100;
    const max = this.count === 0 ? 0 : Math.round(this.#microseconds.max / 10) / 100;
    return { count: this.count, p50: of(50), p90: of(90), p99: of(99), p999: of(99.9), max };
  }
}
