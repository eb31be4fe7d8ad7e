import { median, round, toTable } from './report.mjs';

/**
 * @typedef {import('./options.mjs').Options} Options
 * @typedef {import('./turn.mjs').Turn} Turn
 *
 * @typedef {object} Row One variant, operation and number of connections.
 * @property {string} variant
 * @property {string} operation
 * @property {number} connections
 * @property {Turn[]} turns
 *
 * @typedef {(row: Omit<Row, 'turns'>, seconds: number, keep: boolean) => Promise<Turn>} TakeTurn
 */

/** Per variant and operation: V8 optimises code by use, and slower variants make fewer calls in the same time. */
const warmUpSeconds = 4;

/**
 * @param {Pick<Options, 'connections' | 'operations'>} options
 * @param {readonly string[]} variants
 */
export function toRows({ connections, operations }, variants) {
  return connections.flatMap((count) =>
    operations.flatMap((operation) =>
      variants.map((variant) => ({ variant, operation, connections: count, turns: /** @type {Turn[]} */ ([]) })),
    ),
  );
}

/**
 * Gives every variant one turn per round. The order rotates, so that no variant always follows the same one.
 * @param {Row[]} rows
 * @param {TakeTurn} turn
 * @param {Pick<Options, 'connections' | 'rounds' | 'seconds'>} options
 * @param {import('./progress.mjs').Progress} progress
 */
export async function measure(rows, turn, options, progress) {
  const busiest = rows.filter((row) => row.connections === Math.max(...options.connections));
  progress.step(`warming up, ${busiest.length} rows of ${warmUpSeconds} s`);
  for (const row of busiest) {
    await turn(row, warmUpSeconds, false);
    progress.advance('warming up');
  }
  const seconds = options.seconds / options.rounds;
  for (let done = 0; done < options.rounds; done++) {
    const name = `round ${done + 1} of ${options.rounds}`;
    progress.step(`${name}, ${rows.length} rows of ${round(seconds, 2)} s`);
    const from = Math.floor((done * rows.length) / options.rounds);
    for (const row of [...rows.slice(from), ...rows.slice(0, from)]) {
      row.turns.push(await turn(row, seconds, true));
      progress.advance(name);
    }
  }
}

/** @param {Row} row */
export function summarise({ variant, operation, connections, turns }) {
  const times = turns.at(-1)?.soFar ?? { p50Ms: 0, p95Ms: 0, p99Ms: 0 };
  return {
    variant,
    operation,
    connections,
    requests: turns.reduce((sum, turn) => sum + turn.requests, 0),
    requestsPerSecond: Math.round(median(turns.map((turn) => turn.requestsPerSecond))),
    p50Ms: round(times.p50Ms, 3),
    p95Ms: round(times.p95Ms, 3),
    p99Ms: round(times.p99Ms, 3),
  };
}

/** @param {ReturnType<typeof summarise>[]} summaries */
export function summaryTable(summaries) {
  const head = ['operation, connections, variant', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms'];
  const lines = summaries.map((row) => [
    `${row.operation.toUpperCase()} ${row.connections} ${row.variant}`,
    String(row.requestsPerSecond),
    row.p50Ms.toFixed(2),
    row.p95Ms.toFixed(2),
    row.p99Ms.toFixed(2),
  ]);
  return toTable(head, lines);
}
