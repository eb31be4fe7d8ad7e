import { pluginSuite, type Report, runSuite, toHumanReport } from '@memhall/conformance';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

/** Nothing here is about speed. */
const timeoutMs = 60_000;

function absentIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'absent')
    .map(({ id }) => id);
}

describeEachDatabase('the plugin listener and its contract', (database) => {
  describe('with an embedder', () => {
    const server = useServer(database, { embedder: 'local' });

    it('agree in everything', async () => {
      const report = await runSuite(pluginSuite, { url: server().pluginUrl ?? '', timeoutMs });
      expect(report.counts.passed + report.counts.absent, toHumanReport(report)).toBe(pluginSuite.requirements.length);
      expect(absentIn(report)).toEqual(
        ['FTS-10', 'EMB-07', 'PIN-08', 'TTL-10', 'PROP-04', 'TOKEN-01'].map((ending) => `PLUGIN-${ending}`),
      );
      expect(report.leftBehind).toEqual([]);
    }, 120_000);
  });

  describe('without an embedder', () => {
    const server = useServer(database, { embedder: 'none', pluginToken: 'shared' });

    it('agree on searches that do not need one, and the lack of it does no harm', async () => {
      const only = ['HEALTH', 'MEM', 'SEARCH', 'FTS', 'EMB', 'PIN', 'TOKEN'].map((group) => `PLUGIN-${group}`);
      const report = await runSuite(
        pluginSuite,
        { url: server().pluginUrl ?? '', token: 'shared', timeoutMs },
        { only },
      );
      expect(report.isPassed, toHumanReport(report)).toBe(true);
      expect(report.counts.warned).toBe(0);
      expect(report.capabilities).not.toContain('embedding');
      expect(absentIn(report)).not.toContain('PLUGIN-EMB-07');
      expect(absentIn(report)).not.toContain('PLUGIN-TOKEN-01');
    }, 120_000);
  });
});
