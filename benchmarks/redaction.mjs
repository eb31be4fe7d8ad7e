#!/usr/bin/env node
// Measures redaction time, and checks that it grows linearly with the length of the text, even for hostile texts.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { optionalLabels, redact } from '../packages/core/dist/index.js';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure the redaction of ordinary and hostile texts of 100 kB and 1 MB.

  npm run build && node benchmarks/redaction.mjs

  --rounds <n>  number of measurements of each text, default 7; the fastest one counts, in CPU time

Exits with 1 if any text takes more than 30 times as long at ten times the length. Quadratic time would be 100.
`;

const small = 100_000;
const large = 10 * small;
/** Ten is linear; CPU caches and the garbage collector add to it. */
const highestGrowth = 30;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, help: { type: 'boolean', short: 'h' } },
});

/** @type {Record<string, string>} */
const texts = {
  prose: read('../docs/operate/running.md'),
  code: read('../packages/server/src/main.ts'),
  'tool output with keys': `2026-01-01 INFO MY_TOKEN=a1b2c3 ok sk-${'x1'.repeat(20)} GET /v1/things 200\n`,
  'A_TOKEN=': 'A_TOKEN=',
  'a_token:"': 'a_token:"',
  'A_TOKEN="\\': 'A_TOKEN="\\',
  'Bearer ': 'Bearer ',
  'BEGIN PRIVATE KEY': '-----BEGIN PRIVATE KEY-----',
  'BEGIN, one line': '-----BEGIN PRIVATE KEY-----\nabc\n',
  'postgres://': 'postgres://',
  'postgres://a:': 'postgres://a:',
  'sk-': 'sk-',
  'ghp_a-': 'ghp_a-',
  'eyJ.': 'eyJ.',
  'eyJ-': 'eyJ-',
  '4111 ': '4111 ',
  '4111111111111112 ': '4111111111111112 ',
  'DE89 ': 'DE89 ',
  'DE88370400440532013000 ': 'DE88370400440532013000 ',
  'aB3/': 'aB3/',
  'wordsWords/': 'wordsWords/',
};

if (values.help) console.log(help);
else measure(Number(values.rounds));

/** @param {number} rounds */
function measure(rounds) {
  const progress = new Progress('redaction', Object.keys(texts).length);
  const results = Object.entries(texts).map(([name, seed]) => {
    progress.step(name);
    const { smallMs, largeMs } = timesOf(repeat(seed, small), repeat(seed, large), rounds);
    progress.advance(name);
    return { name, smallMs: round(smallMs, 2), largeMs: round(largeMs, 1), growth: round(largeMs / smallMs, 1) };
  });
  progress.finish();
  const lines = results.map(({ name, smallMs, largeMs, growth }) => [name, smallMs, largeMs, growth].map(String));
  console.log(toTable(['text, repeated', 'ms per 100 kB', 'ms per 1 MB', 'growth'], lines));
  console.log(writeResult('redaction', { machine: describeMachine(), rounds, results }));
  const slow = results.filter(({ growth }) => growth > highestGrowth);
  for (const { name, growth } of slow) console.error(`${name}: ${growth} times as long for ten times the text`);
  if (slow.length > 0) process.exitCode = 1;
}

/**
 * Measures both lengths alternately and for the same time, so that a busy moment of the machine affects both.
 * @param {string} smallText
 * @param {string} largeText
 * @param {number} rounds
 */
function timesOf(smallText, largeText, rounds) {
  let smallMs = Number.POSITIVE_INFINITY;
  let largeMs = Number.POSITIVE_INFINITY;
  for (let done = 0; done <= rounds; done++) {
    const ofSmall = processorMs(() => {
      for (let times = 0; times < large / small; times++) redact(smallText, optionalLabels);
    });
    const ofLarge = processorMs(() => redact(largeText, optionalLabels));
    // The first round lets V8 optimise the code.
    if (done === 0) continue;
    smallMs = Math.min(smallMs, (ofSmall * small) / large);
    largeMs = Math.min(largeMs, ofLarge);
  }
  return { smallMs, largeMs };
}

/** @param {() => void} work */
function processorMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * @param {string} seed
 * @param {number} length
 */
function repeat(seed, length) {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
}

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
