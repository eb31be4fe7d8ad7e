import { expect, it } from 'vitest';
import { loadAdapter } from '../../src/adapters/load-adapter.js';
import { runBenchmark } from '../../src/run/run-benchmark.js';
import { benchmarkOptions } from '../support/benchmark-options.js';

const only = ['updates/record', 'erasure/files', 'time/known-at'];

it('Memhall keeps promises over HTTP, with the embedded database', async () => {
  const source = 'memhall-embedded';
  const system = { source, adapter: await loadAdapter(source) };
  const { systems } = await runBenchmark([system], { ...benchmarkOptions, only }, process.env);
  const cases = systems.flatMap((one) => one.cases);
  expect(cases.map((one) => [one.case, one.detail ?? one.status])).toEqual(only.map((id) => [id, 'passed']));
}, 300_000);
