#!/usr/bin/env node
// Measures what is learned from statements: what is current, what was before, and what was ended wrongly.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMemhall } from '../../packages/server/dist/index.js';
import { describeMachine, toTable, writeResult } from '../support/report.mjs';
import { askBeam } from './beam.mjs';
import { compareCalls, storeFacts } from './cost.mjs';
import { sets, tuningSets } from './data.mjs';
import { tellHistories, tellPairs } from './histories.mjs';
import { Scores } from './scores.mjs';

const help = `Measure facts: histories, pairs of statements that do not conflict, and what 10,000 facts cost.

  npm run build && node benchmarks/facts/run.mjs

  --set <name>            tell only this set, and write no file to benchmarks/results: tuning, more-tuning, unseen,
                          later-unseen, fresh, first-sight, second-sight, third-sight or fourth-sight. Can be repeated
  --show                  list the errors of the tuning sets; the others stay unseen
  --only <list>           parts to run, from histories, pairs, cost and beam, and write no file
  --data <file>           the data set BEAM-500K, which is not part of this repository: without it, its questions are
                          left out
  --embedder <kind>       none (default) or local; it matters for the questions of BEAM
  --database-url <url>    use this PostgreSQL database instead of the embedded one; it must be empty
  --facts <n>             facts of the user whose calls are compared, default 10000
  --calls <n>             calls of each kind, default 60

README.md explains the histories and the scores.
`;

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    show: { type: 'boolean', default: false },
    only: { type: 'string' },
    data: { type: 'string' },
    embedder: { type: 'string', default: 'none' },
    'database-url': { type: 'string' },
    facts: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '60' },
    help: { type: 'boolean', short: 'h' },
  },
});

const parts = ['histories', 'pairs', 'cost', 'beam'];
const wanted = values.only?.split(',') ?? parts;
const chosen = values.set ?? sets;
const wrong = findWrongUsage();

if (values.help || wrong !== undefined) {
  if (wrong !== undefined) console.error(`${wrong}\n`);
  console.log(help);
  process.exit(values.help ? 0 : 1);
}

/** @type {Record<string, unknown>} */
const results = {};
const directory = mkdtempSync(join(tmpdir(), 'memhall-facts-'));
try {
  if (wanted.includes('histories') || wanted.includes('pairs')) await withMemhall({}, tell);
  if (wanted.includes('cost')) results.cost = await compareCosts();
  if (wanted.includes('beam') && values.data !== undefined) results.beam = await compareBeam(values.data);
} finally {
  rmSync(directory, { recursive: true });
}
if (values.set === undefined && values.only === undefined) {
  const settings = { facts: Number(values.facts), calls: Number(values.calls), embedder: values.embedder };
  const database = values['database-url'] === undefined ? 'embedded' : 'postgres';
  writeResult(`facts-${database}`, { benchmark: 'facts', database, machine: describeMachine(), settings, results });
}

/** @typedef {import('../../packages/server/dist/index.js').Memhall} Memhall */

function findWrongUsage() {
  if (chosen.some((set) => !sets.includes(set))) return `--set must be one of ${sets.join(', ')}.`;
  const unknown = wanted.find((part) => !parts.includes(part));
  if (unknown !== undefined) return `--only must be from ${parts.join(', ')}, not "${unknown}".`;
  if (values.data !== undefined && !existsSync(values.data)) return `There is no data set at ${values.data}.`;
  if (values.only?.includes('beam') && values.data === undefined) return 'The data set is missing: pass --data <file>.';
  return undefined;
}

/**
 * @template Result
 * @param {Record<string, string>} environment
 * @param {(memhall: Memhall) => Promise<Result>} work
 */
async function withMemhall(environment, work) {
  const memhall = await openMemhall({
    dataDirectory: directory,
    embedder: /** @type {'local' | 'none'} */ (values.embedder),
    environment,
    ...(values['database-url'] === undefined ? {} : { databaseUrl: values['database-url'] }),
  });
  try {
    return await work(memhall);
  } finally {
    await memhall.close();
  }
}

/** @param {Memhall} memhall */
async function tell(memhall) {
  const tellers = Object.entries({ histories: tellHistories, pairs: tellPairs }).filter(([part]) =>
    wanted.includes(part),
  );
  for (const set of chosen) {
    for (const [part, tellAll] of tellers) {
      const scores = new Scores();
      await tellAll(memhall, set, scores);
      if (!scores.isEmpty) results[`${part} ${set}`] = report(scores, set, `${part}, ${set}`);
    }
  }
}

/** @param {Scores} scores @param {string} set @param {string} title */
function report(scores, set, title) {
  const lines = scores.result();
  const { all, ...classes } = lines;
  const shares = Object.keys(all?.shares ?? {});
  const counts = Object.keys(all?.counts ?? {});
  const rows = [...Object.entries(classes), ...(all === undefined ? [] : [/** @type {const} */ (['all', all])])];
  const cells = rows.map(([name, line]) => [
    name,
    String(line.cases),
    ...shares.map((share) => `${line.shares[share]?.right ?? 0}/${line.shares[share]?.of ?? 0}`),
    ...counts.map((count) => String(line.counts[count] ?? 0)),
  ]);
  console.log(`${toTable([title, 'cases', ...shares, ...counts], cells)}\n`);
  if (values.show && tuningSets.includes(set)) console.log(`${scores.errors.join('\n')}\n`);
  return lines;
}

/** Opens the database again before it measures, so that statements are planned for the tables as they are. */
async function compareCosts() {
  await withMemhall({}, (memhall) => storeFacts(memhall, Number(values.facts)));
  const costs = await withMemhall({}, (memhall) => compareCalls(memhall, Number(values.calls)));
  const lines = Object.entries(costs).map(([name, one]) => [name, ...Object.values(one).map(String)]);
  console.log(`${toTable(['ms, median', 'no facts', `${values.facts} facts`, 'ratio'], lines)}\n`);
  return costs;
}

/** Asks with and without an extractor: without one, nothing is learned. @param {string} file */
async function compareBeam(file) {
  const without = await withMemhall({ MEMHALL_EXTRACTOR: 'none' }, (memhall) => askBeam(memhall, file, 'without'));
  const having = await withMemhall({}, (memhall) => askBeam(memhall, file, 'with'));
  const columns = Object.keys(Object.values(without.kinds)[0] ?? {});
  const lines = Object.keys(without.kinds).flatMap((kind) =>
    Object.entries({ without, with: having }).map(([name, one]) => [
      `${kind}, ${name} facts`,
      ...columns.map((column) => String(one.kinds[kind]?.[column] ?? '')),
    ]),
  );
  console.log(`${toTable([`BEAM, ${having.facts} facts`, ...columns], lines)}\n`);
  return { without, with: having };
}
