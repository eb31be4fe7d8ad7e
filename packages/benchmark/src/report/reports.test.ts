import { expect, it } from 'vitest';
import { capabilities, claim } from '../capabilities.js';
import type { BenchmarkResult, CaseResult } from '../run/result.js';
import { markdownReport } from './markdown-report.js';
import { tableReport } from './table-report.js';

const run = (id: string, rest: Partial<CaseResult>): CaseResult => ({
  case: id,
  status: 'passed',
  seed: 1,
  seconds: 1,
  notes: [],
  command: `memhall-benchmark --only ${id}`,
  ...rest,
});

const claims = Object.fromEntries(Object.keys(capabilities).map((name) => [name, claim('yes')]));
const result: BenchmarkResult = {
  benchmark: '1.0.0',
  date: '2026-11-19T00:00:00.000Z',
  node: '22.0.0',
  platform: 'linux x64',
  postgres: undefined,
  embedder: 'words',
  seed: 1,
  repeat: 2,
  cases: [
    { id: 'time/as-of', area: 'time', title: 'Time', needs: ['asOf'] },
    { id: 'erasure/rows', area: 'erasure', title: 'Rows', needs: ['forget'] },
    { id: 'recall/own-set', area: 'recall', title: 'Recall', needs: [] },
  ],
  systems: [
    {
      ...{
        system: 'shelf',
        title: 'Shelf',
        versions: { shelf: '2.0.0' },
        settings: 'None.',
        documentation: 'https://x',
      },
      claims: { ...claims, asOf: { claimed: false, note: 'has | no time' } },
      cases: [
        run('time/as-of', { status: 'not claimed', missing: 'asOf', detail: 'has | no time' }),
        run('erasure/rows', {}),
        run('erasure/rows', { status: 'failed', seed: 2, detail: 'still there' }),
        run('recall/own-set', { status: 'measured', measures: [{ name: 'R@1', value: 0.5 }] }),
        run('recall/own-set', { status: 'measured', measures: [{ name: 'R@1', value: 1 }] }),
      ],
    },
    {
      ...{ system: 'gone', title: 'Gone', versions: {}, settings: '', documentation: '', claims, cases: [] },
      unavailable: 'gone is not installed.',
    },
  ],
};

it('the report for a terminal has the table, failures with their commands, and what is not claimed', () => {
  const lines = tableReport(result).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '                shelf',
    'time/as-of      not claimed',
    'erasure/rows    FAILED 1 of 2',
    'recall/own-set  R@1 75.0',
  ]);
  const text = lines.join('\n');
  expect(text).toContain('  shelf erasure/rows: still there\n    memhall-benchmark --only erasure/rows');
  expect(text).toContain('  shelf time/as-of (asOf): has | no time');
  expect(text).toContain('  gone: not run. gone is not installed.');
});

it('the report in Markdown keeps its columns', () => {
  const text = markdownReport(result);
  expect(text).toContain('| `erasure/rows` | **FAILED 1 of 2** |');
  expect(text).toContain('| `shelf` | `asOf` | has \\| no time |');
});
