import type { BenchmarkResult, SystemResult } from '../run/result.js';
import { cellOf } from './cell-of.js';

/** Returns the report for a terminal: a table, then every failure with the command that repeats it, then what is not claimed. */
export function tableReport(result: BenchmarkResult): string {
  const systems = result.systems.filter(({ unavailable }) => unavailable === undefined);
  const rows = [
    ['', ...systems.map(({ system }) => system)],
    ...result.cases.map(({ id }) => [id, ...systems.map((one) => cellOf(one.cases.filter((run) => run.case === id)))]),
  ];
  return [
    ...align(rows),
    '',
    ...result.cases.map(({ id, title }) => `${id}: ${title}.`),
    ...section('Failed, and how to repeat it', systems.flatMap(failures)),
    ...section('Not claimed, or not measured, and why', systems.flatMap(leftOut)),
    ...section('Noted', systems.flatMap(notes)),
    ...section('Systems', result.systems.flatMap(about)),
    '',
    `Benchmark ${result.benchmark}, ${result.date}, Node ${result.node}, ${result.platform}, PostgreSQL ${result.postgres ?? 'not used'}.`,
    `Systems without an embedder of their own use ${result.embedder}. Seed ${result.seed}, ${result.repeat} times.`,
    '',
  ].join('\n');
}

function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function failures({ system, cases }: SystemResult): string[] {
  return cases
    .filter(({ status }) => status === 'failed' || status === 'error')
    .flatMap((one) => [`${system} ${one.case}: ${one.detail}`, `  ${one.command}`]);
}

function leftOut({ system, cases }: SystemResult): string[] {
  return cases
    .filter(({ status }) => status.startsWith('not '))
    .map(
      ({ case: id, missing, detail }) => `${system} ${id}${missing === undefined ? '' : ` (${missing})`}: ${detail}`,
    );
}

function notes({ system, cases }: SystemResult): string[] {
  return cases.flatMap((one) => one.notes.map((note) => `${system} ${one.case}: ${note}`));
}

function about({ system, title, versions, settings, documentation, unavailable }: SystemResult): string[] {
  if (unavailable !== undefined) return [`${system}: not run. ${unavailable}`];
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [`${system}: ${title}; ${installed.join(', ')}. ${settings} ${documentation}`];
}
