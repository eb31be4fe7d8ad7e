import { writeFileSync } from 'node:fs';
import { AdapterProblem, type LoadedAdapter, loadAdapter } from '../adapters/load-adapter.js';
import { listPromises } from '../report/list-promises.js';
import { markdownReport } from '../report/markdown-report.js';
import { tableReport } from '../report/table-report.js';
import type { BenchmarkResult, CaseResult } from '../run/result.js';
import { runBenchmark, UnknownCase } from '../run/run-benchmark.js';
import { helpText } from './help-text.js';
import { type CommandOptions, readCommandOptions, UsageProblem } from './read-options.js';

/** The parts of a process that a command needs. */
interface CommandProcess {
  env: Readonly<Record<string, string | undefined>>;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs `memhall-benchmark` and returns its exit code. */
export async function runBenchmarkCommand(args: readonly string[], caller: CommandProcess): Promise<number> {
  try {
    const options = readCommandOptions(args, 'npx memhall-benchmark');
    if (options.mode === 'help') {
      caller.stdout.write(helpText);
      return 0;
    }
    const systems: LoadedAdapter[] = [];
    for (const source of options.systems) systems.push({ source, adapter: await loadAdapter(source) });
    if (options.mode === 'list') {
      caller.stdout.write(listPromises(systems.map(({ adapter }) => adapter)));
      return 0;
    }
    const result = await runBenchmark(systems, options.benchmark, caller.env, (system, one) =>
      caller.stderr.write(progressOf(system, one)),
    );
    print(result, options, caller);
    return exitCodeOf(result, options);
  } catch (error) {
    if (!(error instanceof UsageProblem || error instanceof AdapterProblem || error instanceof UnknownCase))
      throw error;
    caller.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function print(result: BenchmarkResult, { format, output }: CommandOptions, caller: CommandProcess): void {
  const text = {
    json: () => `${JSON.stringify(result, null, 2)}\n`,
    markdown: () => markdownReport(result),
    table: () => tableReport(result),
  }[format]();
  if (output === undefined) caller.stdout.write(text);
  else writeFileSync(output, text);
}

function progressOf(system: string, { case: id, status, seconds, detail }: CaseResult): string {
  const reason = status === 'failed' || status === 'error' ? `: ${detail}` : '';
  return `${system} ${id}: ${status}, ${seconds} s${reason}\n`;
}

function exitCodeOf({ systems }: BenchmarkResult, { named }: CommandOptions): number {
  const missing = systems.filter(({ unavailable }) => unavailable !== undefined);
  if ((named && missing.length > 0) || missing.length === systems.length) return 2;
  return systems.some(({ cases }) => cases.some(({ status }) => status === 'failed' || status === 'error')) ? 1 : 0;
}
