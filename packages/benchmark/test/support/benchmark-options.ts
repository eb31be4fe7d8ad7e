import type { BenchmarkOptions } from '../../src/run/run-benchmark.js';

export const benchmarkOptions: BenchmarkOptions = {
  program: 'memhall-benchmark',
  packages: ['.'],
  only: [],
  settings: {},
  seed: 1,
  repeat: 1,
  data: undefined,
  conversations: 1,
  databaseUrl: undefined,
  workDirectory: undefined,
  timeoutMs: 120_000,
  callTimeoutMs: 60_000,
};
