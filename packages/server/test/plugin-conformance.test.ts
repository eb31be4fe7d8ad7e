import { pluginSuite, type Report, runSuite, toHumanReport } from '@memhall/conformance';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

/** Generous, because these tests do not measure speed. */
const timeoutMs = 60_000;

function absentIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'absent')
    .map(({ id }) => id);
}

describeOneDatabase('the plugin listener against its contract', (database) => {
  describe('with an embedder', () => {
    const server = useServer(database, { embedder: 'local' });

    it('passes every requirement that applies', async () => {
      const report = await runSuite(pluginSuite, { url: server().pluginUrl ?? '', timeoutMs });
      expect(report.counts.passed + report.counts.absent, toHumanReport(report)).toBe(pluginSuite.requirements.length);
      expect(absentIn(report)).toEqual(
        ['FTS-10', 'EMB-07', 'PIN-08', 'TTL-10', 'PROP-04', 'TOKEN-01'].map((ending) => `PLUGIN-${ending}`),
      );
      expect(report.leftBehind).toEqual([]);
    }, 120_000);
  });
});

describeOneDatabase('the plugin listener without an embedder', (database) => {
  const server = useServer(database, { embedder: 'none', pluginToken: 'shared' });

  it('passes the selected requirements without warnings and does not claim embeddings', async () => {
    const only = ['HEALTH', 'MEM', 'SEARCH', 'FTS', 'EMB', 'PIN', 'TOKEN'].map((group) => `PLUGIN-${group}`);
    const report = await runSuite(pluginSuite, { url: server().pluginUrl ?? '', token: 'shared', timeoutMs }, { only });
    expect(report.isPassed, toHumanReport(report)).toBe(true);
    expect(report.counts.warned).toBe(0);
    expect(report.capabilities).not.toContain('embedding');
    expect(absentIn(report)).not.toContain('PLUGIN-EMB-07');
    expect(absentIn(report)).not.toContain('PLUGIN-TOKEN-01');
  }, 120_000);
});
