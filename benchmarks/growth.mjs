#!/usr/bin/env node
// Measures how the time of every function that reads content grows with its input, for the worst inputs we know.
import { parseArgs } from 'node:util';
import { functions } from './growth/functions.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure the growth of every function whose time depends on content, with the inputs that take it longest.

  npm run build && node benchmarks/growth.mjs

  --only <names>  functions to measure, separated by commas; default all
  --rounds <n>    number of measurements of each input, default 3; the fastest one counts, in CPU time

Inputs double from an eighth of the function's largest input. The exponent is fitted to the times: 1 is linear, 2 quadratic.
"per MiB" is what a body of that size would take in one go. Exits with 1 if the exponent of a function in the event loop is
more than 1.75.
`;

const highestExponent = 1.75;
/** Shorter times say more about the machine than about the function. */
const shortestMs = 4;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) console.log(help);
else await measure(Number(values.rounds), values.only?.split(','));

/**
 * @param {number} rounds
 * @param {string[] | undefined} only
 */
async function measure(rounds, only) {
  const chosen = functions.filter(({ name }) => only === undefined || only.includes(name));
  const progress = new Progress('growth', chosen.length);
  const results = [];
  for (const { name, where, most, call, inputs } of chosen) {
    progress.step(name);
    const measured = [];
    for (const [input, make] of Object.entries(inputs)) {
      const points = [];
      for (const size of [most / 8, most / 4, most / 2, most].map(Math.round)) {
        points.push({ size, ms: await fastest(call, make(size), rounds) });
      }
      measured.push({ input, mostMs: points.at(-1)?.ms ?? 0, exponent: exponentOf(points) });
    }
    measured.sort((one, other) => other.mostMs - one.mostMs);
    const [slowest] = measured;
    const steepest = measured
      .filter(({ mostMs }) => mostMs >= shortestMs)
      .sort((one, other) => other.exponent - one.exponent)[0];
    results.push({
      name,
      where,
      most,
      slowest: slowest?.input,
      mostMs: round(slowest?.mostMs ?? 0, 1),
      perMebiMs: round(((slowest?.mostMs ?? 0) * 2 ** 20) / most, 0),
      exponent: steepest === undefined ? null : round(steepest.exponent, 2),
      steepest: steepest?.input,
    });
    progress.advance(name);
  }
  progress.finish();
  const lines = results.map(({ name, where, most, slowest, mostMs, perMebiMs, exponent }) =>
    [name, where, most, slowest, mostMs, perMebiMs, exponent ?? '–'].map(String),
  );
  console.log(toTable(['function', 'runs in', 'largest', 'slowest input', 'ms', 'ms per MiB', 'exponent'], lines));
  if (only === undefined) console.log(writeResult('growth', { machine: describeMachine(), rounds, results }));
  const steep = results.filter(
    ({ where, exponent }) => where === 'loop' && exponent !== null && exponent > highestExponent,
  );
  for (const { name, steepest, exponent } of steep) console.error(`${name}: exponent ${exponent} for ${steepest}`);
  if (steep.length > 0) process.exitCode = 1;
}

/**
 * @param {(input: any) => unknown} call
 * @param {unknown} input
 * @param {number} rounds
 */
async function fastest(call, input, rounds) {
  let ms = Number.POSITIVE_INFINITY;
  // The first round lets V8 optimise the code.
  for (let done = 0; done <= rounds; done++) {
    const before = process.cpuUsage();
    await call(input);
    const { user, system } = process.cpuUsage(before);
    if (done > 0) ms = Math.min(ms, (user + system) / 1000);
    if (done > 0 && ms > 1000) break;
  }
  return ms;
}

/**
 * Returns the slope of a line through the logarithms.
 * @param {{ size: number, ms: number }[]} points
 */
function exponentOf(points) {
  const logs = points.map(({ size, ms }) => [Math.log(size), Math.log(Math.max(ms, 0.05))]);
  const mean = (/** @type {number} */ index) => logs.reduce((sum, point) => sum + (point[index] ?? 0), 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const across = logs.reduce((sum, [x = 0, y = 0]) => sum + (x - meanX) * (y - meanY), 0);
  return across / logs.reduce((sum, [x = 0]) => sum + (x - meanX) ** 2, 0);
}
