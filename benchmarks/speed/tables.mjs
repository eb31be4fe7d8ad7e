import { toTable } from '../support/report.mjs';

/**
 * @typedef {import('./measure-size.mjs').Row} Row
 * @typedef {import('./measure-size.mjs').Summary} Summary
 */

/**
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {{ size: number, rows: Row[] }[]} results
 * @param {Record<string, string>} missing
 */
export function printTables({ callers, manyUsers, endToEnd }, results, missing) {
  const shape = `${manyUsers ? 'many users, about 1,000 memories each' : 'one user has them all'}${endToEnd ? ', every system embeds' : ''}`;
  for (const { size, rows } of results) {
    console.log(`\nAdd: ${size} memories, ${shape}\n`);
    const addHead = callers.flatMap((count) => head(`1 each, ${count}c`));
    console.log(
      toTable(
        ['system', ...addHead, ...head('100 each'), 'bytes/memory'],
        rows.map((row) => [
          row.system,
          ...callers.flatMap((count) => cells(row.add[count])),
          ...cells(row.addBatch),
          row.bytesPerMemory === undefined ? '-' : row.bytesPerMemory.toFixed(0),
        ]),
      ),
    );
    console.log(`\nRecall: ${size} memories, ${shape}\n`);
    console.log(
      toTable(
        ['system', ...callers.flatMap((count) => head(`${count}c`)), 'first p50', 'found'],
        rows.flatMap((row) => recallLines(row, callers)),
      ),
    );
  }
  if (results.length > 1) printGrowth(results);
  for (const [name, reason] of Object.entries(missing)) console.log(`\n${name} was not measured: ${reason}`);
}

/** @param {{ size: number, rows: Row[] }[]} results */
function printGrowth(results) {
  const [first, last] = [results[0], results.at(-1)];
  if (first === undefined || last === undefined) return;
  console.log(`\nRecall, 1 caller: times with ${last.size} memories ÷ times with ${first.size}\n`);
  const lines = last.rows.flatMap((row) =>
    Object.keys(row.recall).flatMap((mode) => {
      const small = first.rows.find(({ system }) => system === row.system)?.recall[mode]?.[1];
      const large = row.recall[mode]?.[1];
      if (small === undefined || large === undefined) return [];
      return [
        [`${row.system} (${mode})`, (large.p50Ms / small.p50Ms).toFixed(2), (large.p95Ms / small.p95Ms).toFixed(2)],
      ];
    }),
  );
  console.log(toTable(['system', 'p50', 'p95'], lines));
}

/**
 * @param {Row} row
 * @param {number[]} callers
 */
function recallLines(row, callers) {
  return Object.entries(row.recall).map(([mode, byCallers]) => [
    `${row.system} (${mode})`,
    ...callers.flatMap((count) => cells(byCallers[count])),
    row.firstRecall[mode] === undefined ? '-' : time(row.firstRecall[mode].p50Ms),
    row.found.toFixed(1),
  ]);
}

/** @param {string} what */
function head(what) {
  return [`${what} p50`, 'p95', '/s'];
}

/** @param {Summary | undefined} summary */
function cells(summary) {
  if (summary === undefined) return ['-', '-', '-'];
  return [time(summary.p50Ms), time(summary.p95Ms), summary.perSecond.toFixed(summary.perSecond < 10 ? 1 : 0)];
}

/** @param {number} ms */
function time(ms) {
  return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
}
