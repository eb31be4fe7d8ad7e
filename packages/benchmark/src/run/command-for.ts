import type { LoadedAdapter } from '../adapters/load-adapter.js';
import type { BenchmarkOptions } from './run-benchmark.js';

/** Returns the command that repeats one case with one seed. */
export function commandFor(
  { packages, settings, data, conversations, program, databaseUrl }: BenchmarkOptions,
  { source }: LoadedAdapter,
  id: string,
  seed: number,
): string {
  const isRecall = id.startsWith('recall/');
  const parts = [
    program,
    '--system',
    source,
    '--only',
    id,
    '--seed',
    String(seed),
    ...packages.filter((path) => path !== '.').flatMap((path) => ['--packages', path]),
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(isRecall && data !== undefined ? ['--data', data, '--conversations', String(conversations)] : []),
    ...(databaseUrl === undefined ? [] : ['--database-url', '"$DATABASE_URL"']),
  ];
  return parts.map((part) => (/^[\w./:=@"$ -]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(' ');
}
