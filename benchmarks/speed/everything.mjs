#!/usr/bin/env node
// Measures what recall over everything costs, compared with recall over one kind with the same number of memories.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startChild } from '../support/child.mjs';
import { onEachDatabase } from '../support/on-each-database.mjs';
import { describeMachine, median, round, toTable, writeResult } from '../support/report.mjs';
import { prepareVectors } from './vectors.mjs';

const help = `Compare recall over everything with recall over one kind that has the same number of memories, and measure the first
recall after a start.

  npm run build && node benchmarks/speed/everything.mjs

  --sizes <list>   numbers of memories, default 1000,100000
  --rounds <n>     rounds of twenty recalls each, default 12; the two alternate, so that a busy moment affects both
  --database <embedded|postgres|both>  default both

Everything: five kinds; six of ten memories are the user's own, two are in the namespace of the workspace, one is in that of a team, one is
public. The goal is at most 1.3 times the time of one kind, and a first recall after a start of at most 500 ms. The first recall ever finds no
stored pages and is measured beside it.
`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000' },
    rounds: { type: 'string', default: '12' },
    database: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h' },
  },
});
/** @typedef {{ wallMs: number, cpuMs: number, stallMs: number }} Time */
const worlds = /** @type {const} */ (['one', 'all']);
const perRound = 20;
const sizes = values.sizes.split(',').map(Number);
const rounds = Number(values.rounds);

if (values.help) console.log(help);
else {
  const kinds = /** @type {import('../support/options.mjs').DatabaseKind[]} */ (
    values.database === 'both' ? ['embedded', 'postgres'] : [values.database]
  );
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const vectorsFile = await prepareVectors({ root, largest: Math.max(...sizes), onProgress: () => undefined });
  await onEachDatabase(kinds, (place) => measure(place, { root, vectorsFile }), report);
}

/**
 * @param {import('../support/on-each-database.mjs').Place} place
 * @param {{ root: string, vectorsFile: string }} prepared
 */
async function measure({ database, databaseUrl, cleanups }, prepared) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-everything-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const open = async () => {
    const child = startChild('../speed/everything-worker.mjs');
    cleanups.add(() => child.stop());
    await child.call('open', { directory, databaseUrl, ...prepared });
    return child;
  };
  const filler = await open();
  for (const size of sizes) for (const world of worlds) await filler.call('fill', { world, size });
  await filler.stop();
  const rows = [];
  for (const size of sizes) {
    const ever = await firstRecalls(open, size);
    const first = await firstRecalls(open, size);
    const warm = /** @type {Record<string, Time[]>} */ ({ one: [], all: [] });
    const child = await open();
    for (const world of worlds) await child.call('recalls', { world, size, calls: 3 * perRound });
    for (let done = 0; done < rounds; done++) {
      for (const world of done % 2 === 0 ? worlds : [...worlds].reverse())
        warm[world]?.push(...(await child.call('recalls', { world, size, calls: perRound })));
    }
    await child.stop();
    rows.push({ size, ratios: compare(warm), ever, first });
  }
  return { database, load: round(loadavg()[0] ?? 0, 1), rows };
}

/**
 * Starts a process for each world, and measures its first recall.
 * @param {() => Promise<import('../support/child.mjs').Child>} open
 * @param {number} size
 */
async function firstRecalls(open, size) {
  const times = /** @type {Record<string, Time>} */ ({});
  for (const world of worlds) {
    const child = await open();
    [times[world]] = await child.call('recalls', { world, size, calls: 1 });
    await child.call('settle', { size });
    await child.stop();
  }
  return times;
}

/** @param {Record<string, { wallMs: number, cpuMs: number }[]>} times */
function compare({ one = [], all = [] }) {
  const of = (/** @type {typeof one} */ list, /** @type {'wallMs' | 'cpuMs'} */ name) =>
    median(list.map((time) => time[name]));
  return {
    oneMs: round(of(one, 'wallMs'), 2),
    allMs: round(of(all, 'wallMs'), 2),
    wall: round(of(all, 'wallMs') / of(one, 'wallMs'), 2),
    cpu: round(of(all, 'cpuMs') / of(one, 'cpuMs'), 2),
  };
}

/** @param {Awaited<ReturnType<typeof measure>>[]} results */
function report(results) {
  const lines = results.flatMap(({ database, rows }) =>
    rows.map(({ size, ratios, ever, first }) => [
      `${database}, ${size}`,
      ...[ratios.oneMs, ratios.allMs, ratios.wall, ratios.cpu].map((value) => value.toFixed(2)),
      ...[ever.one, ever.all, first.one, first.all].map((time) => (time?.wallMs ?? 0).toFixed(0)),
    ]),
  );
  const head = [
    'database, memories',
    'one kind p50 ms',
    'everything p50 ms',
    'ratio',
    'processor time',
    'first ever, one',
    'first ever, all',
    'first after a start, one',
    'first after a start, all',
  ];
  console.log(`\n${toTable(head, lines)}`);
  const date = new Date().toISOString().slice(0, 10);
  const result = {
    benchmark: 'speed-everything',
    date,
    machine: describeMachine(),
    settings: { sizes, rounds },
    results,
  };
  console.log(`Written to ${writeResult('speed-everything', result)}`);
}
