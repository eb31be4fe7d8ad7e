import { describe, expect, it } from 'vitest';
import { pluginSuite } from '../src/plugin/plugin-suite.js';
import { toHumanReport } from '../src/report/human-report.js';
import type { Report } from '../src/report/report.js';
import { runSuite } from '../src/run-suite.js';
import { startExample } from './support/example-plugin.js';
import { pluginFaults } from './support/plugin-faults.js';

const timeoutMs = 300_000;
/** The long series holds every fault against everything: nothing else may break. */
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

describe('the example plugin', () => {
  it.each([
    ['a port', { socket: false }],
    ['a socket', { socket: true }],
  ])(
    'keeps the contract whole, on %s',
    async (_place, options) => {
      const plugin = await startExample(options);
      try {
        const report = await runSuite(pluginSuite, { ...plugin, timeoutMs: 60_000 });
        expect(report.counts, toHumanReport(report)).toMatchObject({ passed: 118, absent: 5, failed: 0, warned: 0 });
        expect(report.leftBehind).toEqual([]);
      } finally {
        await plugin.stop();
      }
    },
    timeoutMs,
  );
});

function brokenIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')
    .map(({ id }) => id);
}

describe('a plugin that', () => {
  it.concurrent.each(pluginFaults)(
    '$name is caught by what it breaks',
    async ({ edit, breaks, also = [] }) => {
      const plugin = await startExample({ edits: [edit] });
      try {
        const options = isLong ? {} : { only: breaks };
        const report = await runSuite(pluginSuite, { ...plugin, timeoutMs: 60_000 }, options);
        const broken = brokenIn(report);
        expect(broken, toHumanReport(report)).toEqual(expect.arrayContaining([...breaks]));
        if (also === 'anything') return;
        const allowed: readonly string[] = [...breaks, ...also];
        expect(
          broken.filter((id) => !allowed.includes(id)),
          toHumanReport(report),
        ).toEqual([]);
      } finally {
        await plugin.stop();
      }
    },
    timeoutMs,
  );
});
