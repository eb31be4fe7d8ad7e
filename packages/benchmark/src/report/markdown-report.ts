import type { BenchmarkResult, SystemResult } from '../run/result.js';
import { cellOf } from './cell-of.js';

/** Returns the tables of a documentation page. */
export function markdownReport(result: BenchmarkResult): string {
  const systems = result.systems.filter(({ unavailable }) => unavailable === undefined);
  const head = ['case', ...systems.map(({ system }) => `\`${system}\``)];
  const rows = result.cases.map(({ id }) => [
    `\`${id}\``,
    ...systems.map((one) => emphasised(cellOf(one.cases.filter((run) => run.case === id)))),
  ]);
  return [
    ...table(head, rows),
    '',
    ...table(['system', 'versions', 'settings'], systems.map(aboutRow)),
    '',
    ...table(['failed', 'what was found', 'repeat it'], systems.flatMap(failureRows)),
    '',
    ...table(['system', 'not claimed', 'in its own terms'], claimRows(systems)),
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function emphasised(cell: string): string {
  return cell.startsWith('FAILED') || cell.startsWith('error') ? `**${cell}**` : cell;
}

function aboutRow({ system, title, versions, settings, documentation }: SystemResult): string[] {
  const installed = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`);
  return [`\`${system}\``, installed.join(', '), `[${title}](${documentation}). ${settings}`];
}

function failureRows({ system, cases }: SystemResult): string[][] {
  return cases
    .filter(({ status }) => status === 'failed' || status === 'error')
    .map((one) => [`\`${system}\` \`${one.case}\``, one.detail ?? '', `\`${one.command}\``]);
}

/** Systems with the same text share a row. */
function claimRows(systems: readonly SystemResult[]): string[][] {
  const rows = new Map<string, { systems: string[]; name: string; note: string }>();
  for (const { system, claims } of systems) {
    for (const [name, { claimed, note }] of Object.entries(claims)) {
      const row = rows.get(`${name} ${note}`) ?? { systems: [], name, note };
      if (!claimed) rows.set(`${name} ${note}`, { ...row, systems: [...row.systems, system] });
    }
  }
  return [...rows.values()].map(({ systems: named, name, note }) => [
    named.map((one) => `\`${one}\``).join(', '),
    `\`${name}\``,
    note,
  ]);
}
