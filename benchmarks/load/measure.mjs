import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { round } from '../support/report.mjs';
import { mix } from './mix.mjs';
import { delayedTime, familyTime, processTime, residentBytes } from './processor-time.mjs';

/**
 * @typedef {import('./start-target.mjs').Target} Target
 * @typedef {import('./outcomes.mjs').OutcomesSummary & { rate: number, seconds: number }} Run
 */

const openConnections = 400;
/** As many callers as the first measure of this kind had. */
const closedConnections = 16;

/**
 * @param {Target} target
 * @returns {Promise<Record<string, number>>}
 */
async function readResources({ pids, databasePid, figures }) {
  const nodes = pids.map(processTime);
  return {
    mainMs: nodes.reduce((sum, { main }) => sum + main, 0),
    otherMs: nodes.reduce((sum, { others }) => sum + others, 0),
    delayedMs: pids.reduce((sum, pid) => sum + delayedTime(pid), 0),
    databaseMs: databasePid === undefined ? 0 : familyTime(databasePid),
    ...(await figures?.totals()),
  };
}

/**
 * Does some work and returns its result with what it used. Processor time and the log include what the nodes did by themselves meanwhile.
 * @template Result
 * @param {Target} target
 * @param {() => Promise<Result>} work
 */
async function withResources(target, work) {
  const before = await readResources(target);
  const result = await work();
  const after = await readResources(target);
  const used = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
  return { result, used };
}

/**
 * @param {Record<string, number>} used
 * @param {number} operations
 */
function perOperation(used, operations) {
  return Object.fromEntries(Object.entries(used).map(([name, value]) => [name, round(value / operations, 3)]));
}

/**
 * Sends a constant rate.
 * @param {Target} target
 * @param {{ rate: number, seconds: number, warmUpSeconds: number, intervalSeconds?: number }} plan
 */
export async function measureRate(target, { intervalSeconds = 10, ...plan }) {
  const before = await readStages(target);
  const { result, used } = await withResources(
    target,
    () =>
      /** @type {Promise<Run & { senderLate: import('./times.mjs').TimesSummary }>} */ (
        target.generator.call('open', { ...plan, intervalSeconds, connections: openConnections })
      ),
  );
  const sent = plan.rate * (plan.seconds + plan.warmUpSeconds);
  const waits = subtract(await readStages(target), before);
  return { ...result, perOperation: perOperation(used, sent), waits, load: round(loadavg()[0] ?? 0, 1) };
}

/**
 * Measures how many requests the nodes answer in a second, if each of sixteen callers waits for its answer.
 * @param {Target} target
 * @param {number} seconds
 */
export async function measureCapacity(target, seconds) {
  await target.generator.call('closed', { connections: closedConnections, seconds: Math.min(10, seconds) });
  const { result } = await withResources(target, () =>
    target.generator.call('closed', { connections: closedConnections, seconds }),
  );
  return result.requests / result.seconds;
}

/**
 * Measures what each operation costs, one kind after the other.
 * @param {Target} target
 * @param {number} count of each
 */
export async function measureCosts(target, count) {
  /** @type {Record<string, Record<string, number>>} */
  const costs = {};
  for (const operation of Object.keys(mix)) {
    await target.generator.call('closed', { connections: 4, count: Math.ceil(count / 10), operation });
    const { result, used } = await withResources(target, () =>
      target.generator.call('closed', { connections: 4, count, operation }),
    );
    costs[operation] = perOperation(used, result.requests);
  }
  return costs;
}

/**
 * Reads memory, connections and tables every so often until stopped.
 * @param {Target} target
 * @param {number} everySeconds
 */
export function watch(target, everySeconds) {
  /** @type {object[]} */
  const seen = [];
  const sinceMs = performance.now();
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      seen.push({
        atSeconds: round((performance.now() - sinceMs) / 1000, 0),
        memoryMb: target.pids.map((pid) => Math.round(residentBytes(pid) / 2 ** 20)),
        ...(target.figures && {
          connections: await target.figures.connections(),
          databaseMb: Math.round((await target.size()) / 2 ** 20),
        }),
      });
      for (let waited = 0; waited < everySeconds && !isOver; waited++) await sleep(1000);
    }
  };
  const looking = look();
  return async () => {
    isOver = true;
    await looking;
    return seen;
  };
}

/**
 * Sums of what the nodes measure themselves: the parts of a recall, delays of the event loop, garbage collection.
 * @param {Target} target
 */
async function readStages({ urls }) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const url of urls) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, name = '', value] of text.matchAll(
      /^((?:memhall_recall_stage_duration_seconds|memhall_event_loop_(?:delay|stall)_seconds|nodejs_gc_duration_seconds|memhall_turn_wait_seconds)_(?:sum|count)(?:\{[^}]*\})?) (\S+)$/gm,
    )) {
      sums[name] = (sums[name] ?? 0) + Number(value);
    }
  }
  return sums;
}

/**
 * @param {Record<string, number>} after
 * @param {Record<string, number>} before
 */
function subtract(after, before) {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => /** @type {const} */ ([name, round(value - (before[name] ?? 0), 4)]))
      .filter(([, value]) => value !== 0),
  );
}
