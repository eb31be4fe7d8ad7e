import { createHistogram } from 'node:perf_hooks';

/**
 * @typedef {object} Percentiles
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number} p99Ms
 *
 * @typedef {object} Turn
 * @property {number} requests
 * @property {number} requestsPerSecond
 * @property {number} p50Ms of this turn only
 * @property {Percentiles} soFar of all turns of this row so far
 */

/** Times of all turns, by row. */
const rows = /** @type {Map<string, import('node:perf_hooks').RecordableHistogram>} */ (new Map());

/**
 * Each worker repeats its task sequentially until the time is over.
 * @param {string | undefined} row name under which the times are collected; undefined for a warm-up
 * @param {number} seconds
 * @param {(() => Promise<void>)[]} workers
 * @returns {Promise<Turn>}
 */
export async function takeTurn(row, seconds, workers) {
  const times = createHistogram();
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const repeat = async (/** @type {() => Promise<void>} */ task) => {
    for (let start = performance.now(); start < end; ) {
      await task();
      const now = performance.now();
      times.record(Math.max(1, Math.round((now - start) * 1e6)));
      start = now;
    }
  };
  await Promise.all(workers.map(repeat));
  const elapsedSeconds = (performance.now() - begin) / 1000;
  const all = (row === undefined ? undefined : rows.get(row)) ?? createHistogram();
  all.add(times);
  if (row !== undefined) rows.set(row, all);
  return {
    requests: times.count,
    requestsPerSecond: times.count / elapsedSeconds,
    p50Ms: toMs(times, 50),
    soFar: { p50Ms: toMs(all, 50), p95Ms: toMs(all, 95), p99Ms: toMs(all, 99) },
  };
}

/**
 * @param {import('node:perf_hooks').Histogram} times in nanoseconds
 * @param {number} percentile
 */
function toMs(times, percentile) {
  return times.percentile(percentile) / 1e6;
}
