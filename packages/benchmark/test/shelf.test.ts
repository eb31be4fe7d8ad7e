import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadAdapter } from '../src/adapters/load-adapter.js';
import { allCases } from '../src/cases/all-cases.js';
import type { CaseResult } from '../src/run/result.js';
import { runBenchmark } from '../src/run/run-benchmark.js';
import { benchmarkOptions } from './support/benchmark-options.js';
import { shelfFaults } from './support/shelf-faults.js';

const shelf = fileURLToPath(new URL('./test-support/shelf-adapter.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'memhall-shelf-'));

afterAll(() => rmSync(directory, { recursive: true }));

async function runCases(source: string, only: readonly string[]): Promise<CaseResult[]> {
  const system = { source, adapter: await loadAdapter(source) };
  const { systems } = await runBenchmark([system], { ...benchmarkOptions, only }, process.env);
  return systems.flatMap(({ cases }) => cases);
}

describe('a correct system', () => {
  it('keeps every promise', { timeout: 180_000 }, async () => {
    const results = await runCases(shelf, []);
    const kept = results.filter(({ status }) => status === 'passed').map((one) => one.case);
    const rest = results.filter(({ status }) => status !== 'passed').map((one) => [one.case, one.status]);
    expect(rest).toEqual([
      ['recall/own-set', 'measured'],
      ['recall/data-set', 'not measured'],
    ]);
    expect(kept).toHaveLength(allCases.length - 2);
  });
});

describe('a system that', () => {
  it.each(shelfFaults)('$name fails', async ({ name, find, put, caughtBy }) => {
    const text = readFileSync(shelf, 'utf8');
    expect(text.split(find).length).toBeGreaterThan(1);
    const source = join(directory, `${name.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(
      source,
      text.replace(find, () => put),
    );
    const results = await runCases(source, caughtBy);
    expect(results.map((one) => [one.case, one.status])).toEqual(
      allCases.filter(({ id }) => caughtBy.includes(id)).map(({ id }) => [id, 'failed']),
    );
    expect(results.map(({ command }) => command)).toEqual(
      results.map((one) => `memhall-benchmark --system ${source} --only ${one.case} --seed 1`),
    );
  });

  it('has a fault for every case that can fail', () => {
    const caught = new Set(shelfFaults.flatMap(({ caughtBy }) => caughtBy));
    const uncaught = allCases.filter(({ id }) => !id.startsWith('recall/') && !caught.has(id)).map(({ id }) => id);
    expect(uncaught).toEqual([]);
  });
});
