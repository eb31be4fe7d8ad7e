import { round } from '../support/report.mjs';
import { measureCapacity, measureCosts, measureRate, watch } from './measure.mjs';

/**
 * @typedef {import('./options.mjs').LoadOptions} Options
 * @typedef {import('./start-target.mjs').Target} Target
 * @typedef {(target: Target, options: Options, say: (text: string) => void) => Promise<object>} RunMode
 */

const capacitySeconds = 10;
/** The limit of `find`. */
const limitMs = 100;
const highestSteps = 9;
const costsOf = 300;

/**
 * @param {Target} target
 * @param {Options} options
 * @param {(text: string) => void} say
 */
async function chooseRate(target, { rate, percent = 100 }, say) {
  if (rate !== undefined) return { rate, capacity: undefined };
  say('measuring the capacity');
  const capacity = await measureCapacity(target, capacitySeconds);
  say(`capacity: ${Math.round(capacity)}/s`);
  return { rate: Math.max(1, Math.round((capacity * percent) / 100)), capacity: round(capacity, 0) };
}

/** @type {RunMode} */
async function atRate(target, options, say) {
  const { rate, capacity } = await chooseRate(target, options, say);
  say(`sending ${rate}/s`);
  const { seconds, warmUpSeconds } = options;
  const run = await measureRate(target, { rate, seconds, warmUpSeconds });
  return { capacity, run };
}

/** @type {RunMode} */
async function soak(target, options, say) {
  const { rate, capacity } = await chooseRate(target, options, say);
  say(`sending ${rate}/s for ${options.seconds} s`);
  const tablesBefore = await target.figures?.tables();
  await target.figures?.forgetStatements();
  const { seconds, warmUpSeconds } = options;
  const intervalSeconds = Math.max(5, Math.round(seconds / 60));
  const stop = watch(target, intervalSeconds);
  const run = await measureRate(target, { rate, seconds, warmUpSeconds, intervalSeconds });
  const overTime = await stop();
  const tables = await target.figures?.tables();
  return { capacity, run, overTime, tablesBefore, tables, writers: await target.figures?.writers() };
}

/** @type {RunMode} */
async function find(target, options, say) {
  const results = [];
  for (const nodes of options.nodes) {
    await target.useNodes(nodes);
    const { rate: capacity } = await chooseRate(target, options, say);
    results.push({ nodes, capacity, ...(await findHighest(target, options, capacity, say)) });
  }
  return { limitMs, results };
}

/**
 * Halves the range in which the highest rate is, from 0 to a quarter above the capacity.
 * @param {Target} target
 * @param {Options} options
 * @param {number} capacity
 * @param {(text: string) => void} say
 */
async function findHighest(target, { seconds, warmUpSeconds }, capacity, say) {
  let low = 0;
  let high = Math.round(capacity * 1.25);
  const steps = [];
  while (steps.length < highestSteps && high - low > Math.max(5, high / 20)) {
    const rate = Math.round(steps.length === 0 ? capacity * 0.8 : (low + high) / 2);
    const run = await measureRate(target, { rate, seconds, warmUpSeconds });
    const { p50, p99 } = run.succeeded;
    const isGood = p99 < limitMs && run.succeeded.count === Math.round(rate * seconds);
    steps.push({ rate, isGood, p50, p99, succeeded: run.succeeded.count, load: run.load });
    say(`${rate}/s: p50 ${p50} ms, p99 ${p99} ms${isGood ? '' : ', too much'}`);
    if (isGood) low = rate;
    else high = rate;
  }
  return { highest: low, steps };
}

/** @type {RunMode} */
async function growth(target, options, say) {
  const results = [];
  for (const memories of options.sizes) {
    if (results.length > 0) await target.grow(memories);
    const bytes = await target.size();
    say(`measuring the cost of each operation at ${memories} memories`);
    const costs = await measureCosts(target, costsOf);
    const { capacity, run } = /** @type {any} */ (await atRate(target, options, say));
    results.push({ memories, bytesPerMemory: Math.round(bytes / memories), costs, capacity, run });
  }
  return { results, tables: await target.figures?.tables() };
}

/** @type {Record<import('./options.mjs').Mode, RunMode>} */
export const modes = { rate: atRate, tail: atRate, overload: atRate, soak, find, growth };
