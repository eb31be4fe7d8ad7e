import { toTable } from '../support/report.mjs';

/**
 * Renders a result as tables.
 * @param {any} result
 */
export function toReport({ loadBefore, machine, results, run, capacity, overTime, writers }) {
  const parts = [`${machine.cores} cores, load ${loadBefore} before the run`];
  if (capacity !== undefined) parts.push(`Capacity with sixteen callers: ${capacity}/s`);
  if (run !== undefined)
    parts.push(runTable(run), operationTable(run.operations), costTable({ 'the mix': run.perOperation }));
  if (run !== undefined) parts.push(intervalTable(run.intervals));
  if (overTime !== undefined) parts.push(overTimeTable(overTime));
  if (writers !== undefined) parts.push(writerTable(writers));
  for (const one of results ?? []) {
    if (one.highest !== undefined) {
      parts.push(`${one.nodes} nodes: capacity ${one.capacity}/s, highest rate ${one.highest}/s`);
    } else {
      parts.push(`${one.memories} memories, ${one.bytesPerMemory} bytes each, capacity ${one.capacity}/s`);
      parts.push(costTable(one.costs), runTable(one.run));
    }
  }
  return `\n${parts.join('\n\n')}`;
}

/** @param {any} run */
function runTable(run) {
  const { rate, seconds, succeeded, shed, busiestTenant, otherTenants } = run;
  const share = (/** @type {any} */ group) => `${((group.succeeded / Math.max(1, group.sent)) * 100).toFixed(1)} %`;
  const refused = Object.entries(run.refusedByStatus).map(([status, count]) => `${count} × ${status}`);
  return toTable(
    ['at a constant rate', ''],
    [
      ['requests per second', String(rate)],
      ['sent', String(Math.round(rate * seconds))],
      ['succeeded', String(succeeded.count)],
      [
        'p50 / p90 / p99 / p99.9 / longest ms',
        `${succeeded.p50} / ${succeeded.p90} / ${succeeded.p99} / ${succeeded.p999} / ${succeeded.max}`,
      ],
      ['refused', refused.join(', ') || '0'],
      ['… without Retry-After', String(run.shedWithoutRetryAfter)],
      ['… p50 / p99 ms', `${shed.p50} / ${shed.p99}`],
      ['lost, timed out', `${run.lost}, ${run.timedOut}`],
      ['busiest tenant: share that succeeded, p99 ms', `${share(busiestTenant)}, ${busiestTenant.times.p99}`],
      ['all others: share that succeeded, p99 ms', `${share(otherTenants)}, ${otherTenants.times.p99}`],
      ['sender late, p99 ms', String(run.senderLate.p99)],
      ['load of the machine', String(run.load)],
    ],
  );
}

/** @param {Record<string, import('./times.mjs').TimesSummary>} operations */
function operationTable(operations) {
  const lines = Object.entries(operations).map(([name, { count, p50, p90, p99, max }]) =>
    [name, count, p50, p90, p99, max].map(String),
  );
  return toTable(['operation', 'count', 'p50 ms', 'p90', 'p99', 'longest'], lines);
}

/** @param {Record<string, Record<string, number>>} costs */
function costTable(costs) {
  const names = Object.keys(Object.values(costs)[0] ?? {});
  const lines = Object.entries(costs).map(([operation, used]) => [
    operation,
    ...names.map((name) => String(used[name])),
  ]);
  return toTable(['each', ...names], lines);
}

/** @param {any[]} intervals */
function intervalTable(intervals) {
  const lines = intervals.map(({ atSeconds, succeeded, p50, p99, refused, unanswered }) =>
    [atSeconds, succeeded, p50, p99, refused, unanswered].map(String),
  );
  return toTable(['from second', 'succeeded', 'p50 ms', 'p99', 'refused', 'unanswered'], lines);
}

/** @param {any[]} overTime */
function overTimeTable(overTime) {
  const lines = overTime.map(({ atSeconds, memoryMb, connections = '', databaseMb = '' }) =>
    [atSeconds, memoryMb.join(' '), connections, databaseMb].map(String),
  );
  return toTable(['at second', 'memory MB', 'connections', 'database MB'], lines);
}

/** @param {any[]} writers */
function writerTable(writers) {
  const lines = writers.map(({ statement, calls, walBytes, walPages }) =>
    [statement.slice(0, 70).replaceAll('|', ' '), calls, Math.round(walBytes / calls), walPages].map(String),
  );
  return toTable(['statement', 'calls', 'log bytes each', 'full pages'], lines);
}
