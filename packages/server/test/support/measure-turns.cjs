// Loaded by processes that a test attacks. Writes how much processor time each turn of the event loop took that took long, in
// milliseconds. Unlike the delays that the server measures itself, this does not grow when other processes want the same cores.
const { appendFileSync, existsSync, openSync, readSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const tickMs = 2;
const longMs = 50;
const file = process.env.MEASURED_TURNS;

// Of the threads that the process starts, only the first runs the event loop that is measured.
if (isMainThread && file !== undefined) {
  delete process.env.MEASURED_TURNS;
  const spentMs = threadTime(`/proc/self/task/${process.pid}/schedstat`);
  let before = spentMs();
  setInterval(() => {
    const now = spentMs();
    if (now - before > longMs) appendFileSync(file, `${Math.round(now - before)}\n`);
    before = now;
  }, tickMs).unref();
}

/**
 * Returns a function that tells the processor time of a thread. Systems other than Linux have only the clock.
 * @param {string} path
 */
function threadTime(path) {
  if (!existsSync(path)) return () => performance.now();
  const [statistics, bytes] = [openSync(path, 'r'), Buffer.alloc(64)];
  return () => Number.parseInt(bytes.toString('latin1', 0, readSync(statistics, bytes, 0, 64, 0)), 10) / 1e6;
}
