import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginSuite } from '../src/plugin/plugin-suite.js';
import { toHumanReport } from '../src/report/human-report.js';
import type { Report } from '../src/report/report.js';
import { runSuite } from '../src/run-suite.js';
import { exampleSource, startExample } from './support/example-plugin.js';
import { pluginFaults } from './support/plugin-faults.js';

const timeoutMs = 300_000;
/** The long series runs all cases against every fault. Nothing else may break. */
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

describe('the example plugin', () => {
  it('has fewer than 400 lines, including comments', () => {
    const texts = readdirSync(exampleSource).map((name) => readFileSync(join(exampleSource, name), 'utf8'));
    expect(texts.join('').split('\n').length).toBeLessThan(400);
  });

  it.each([
    ['a port', { socket: false }],
    ['a socket', { socket: true }],
  ])(
    'meets the whole contract on %s',
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

const listsNothing = {
  file: 'plugin.mjs',
  find: "['embedding', 'fts', 'ttl', 'pin', 'propagation']",
  put: '[]',
};

/** Removes the fields of the example that need a capability. */
const ignoresAll = [
  ['        pin: pin || undefined,\n', ''],
  ['        expires_at: ifGiven(expires_at, to.moment),\n        metadata', '        metadata'],
  [
    '        expires_at: ifGiven(expires_at, to.moment),\n        propagation: ifGiven(propagation, to.object),\n        embedding: ifGiven(embedding, to.vector),\n      });\n      return { status: 201',
    '      });\n      return { status: 201',
  ],
  ["query.trim() === '' ? undefined : query", 'undefined'],
  [
    '        embedding: ifGiven(embedding, to.vector),\n      });\n      return { status: 200',
    '      });\n      return { status: 200',
  ],
].map(([find = '', put = '']) => ({ file: 'serve.mjs', find, put }));

describe('a plugin that lists no capability', () => {
  it.each([
    ['and has none', [listsNothing, ...ignoresAll]],
    ['but has them all', [listsNothing]],
  ])(
    '%s meets the contract',
    async (_name, edits) => {
      const plugin = await startExample({ edits });
      try {
        const report = await runSuite(pluginSuite, { ...plugin, timeoutMs: 60_000 });
        expect(brokenIn(report), toHumanReport(report)).toEqual([]);
        expect(report.counts.absent).toBe(
          pluginSuite.requirements.filter(({ needs = [] }) => needs.some((one) => one !== 'token')).length,
        );
        expect(report.counts.absent + report.counts.passed).toBe(pluginSuite.requirements.length);
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
    '$name is caught by the requirements it breaks',
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
