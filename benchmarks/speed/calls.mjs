/**
 * @typedef {object} Turn
 * @property {number[]} times duration of every call, in ms
 * @property {number} elapsedMs
 */

/**
 * Each caller makes its next call when the previous one is done, until all callers have made `calls` calls together or the
 * time is over.
 * @param {{ callers: number, calls?: number | undefined, seconds?: number | undefined }} limits
 * @param {(number: number) => Promise<unknown>} call
 * @returns {Promise<Turn>}
 */
export async function takeCalls({ callers, calls = Number.POSITIVE_INFINITY, seconds = 3600 }, call) {
  /** @type {number[]} */
  const times = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let next = 0;
  const repeat = async () => {
    for (let start = performance.now(); next < calls && start < end; ) {
      await call(next++);
      const now = performance.now();
      times.push(now - start);
      start = now;
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  return { times, elapsedMs: performance.now() - begin };
}

/**
 * Summarises all turns of one row of the table.
 * @param {Turn[]} turns
 * @param {number} perCall number of memories per call
 */
export function summarise(turns, perCall = 1) {
  const times = turns.flatMap((turn) => turn.times).sort((a, b) => a - b);
  const elapsedMs = turns.reduce((sum, turn) => sum + turn.elapsedMs, 0);
  return {
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    perSecond: (1000 * times.length * perCall) / elapsedMs,
    calls: times.length,
  };
}

/**
 * @param {number[]} sorted
 * @param {number} share
 */
function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
