import { providerSuite, runSuite, toHumanReport } from '@memhall/conformance';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { providerClient } from './support/provider.js';
import { useServer } from './support/server.js';

describeOneDatabase('the provider with an embedder', (database) => {
  const server = useServer(database, { embedder: 'local' });

  it('finds a new note by meaning, even at the end of a long text', async () => {
    const client = providerClient(server, { workspace: 'w', agent: 'a' });
    const days = Array.from({ length: 200 }, (_, day) => `- Day ${day}: checked invoices and answered mail.`);
    const retain = (content: string, mode: string) =>
      client.retain({ tier: 'daily', key: '2026-05-21', content, mode });
    expect((await retain(days.join('\n'), 'replace')).status).toBe(200);
    expect((await retain('- The physician prescribed antibiotics.', 'append')).status).toBe(200);
    const { body } = await client.recall({ query: 'What did the doctor give me?', limit: 1 });
    expect(body.hits[0].snippet).toContain('antibiotics');
    expect(body.hits[0].source).toBe('daily/2026-05-21.md');
  });

  it('passes the provider contract suite', async () => {
    const target = { url: server().url, token: await server().token(), workspaceId: 'u1', timeoutMs: 60_000 };
    const report = await runSuite(providerSuite, target);
    expect(report.isPassed, toHumanReport(report)).toBe(true);
  }, 120_000);
});
