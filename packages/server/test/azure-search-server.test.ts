import { expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { forgetEvent } from '../src/engine/events/forget-event.js';
import { AzureSearchIndex } from '../src/providers/azure/azure-search-index.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { IndexedEngine, useSearchService } from './support/indexed-engine.js';
import { keepLog } from './support/keep-log.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer } from './support/server.js';

const service = useSearchService();
const patience = { timeout: 20_000, interval: 50 };
const at = (call: string, user = 'u1') => `/v1/tenants/t1/users/${user}/${call}`;

describeOneDatabase('a server with events in Azure AI Search', (database) => {
  it('sends, finds and erases them, tells operators, and logs no key and no text', async () => {
    service.reset();
    const { logger, log } = keepLog();
    const settings = { azureSearchUrl: service.url, azureSearchKey: service.apiKey, jobs: 'true' };
    const server = await startTestServer(database(), settings, logger);
    try {
      const call = async (path: string, body?: object, method = 'POST') =>
        (await server.call({ method, path, ...(body === undefined ? {} : { body }) })).body;
      await call(at('events'), { event: { event_id: 'e', digest: 'zqibis by the river' } });
      const search = () => call(at('events:search'), { query: 'Zqibis?' });
      expect((await search()).results).toMatchObject([{ event_id: 'e' }]);
      await expect.poll(() => service.with('zqibis').length, patience).toBe(1);
      const settle = `UPDATE memhall.unindexed_events SET sent_at = now() - interval '1 minute' WHERE sent_at IS NOT NULL RETURNING 1`;
      await expect.poll(() => pastEverything(database(), settle), patience).toHaveLength(1);
      const asked = service.searches.length;
      expect((await search()).results).toMatchObject([{ event_id: 'e', digest: 'zqibis by the river', score: 0.5 }]);
      expect(service.searches.length).toBe(asked + 1);

      const operator = await server.token({ roles: ['operator'] });
      const health = async () => (await server.call({ path: '/health', token: operator })).body;
      expect((await health()).event_index).toEqual({
        address: `the index "memhall-events" of Azure AI Search at ${new URL(service.url).host}`,
        status: 'ok',
        waiting: 0,
      });
      service.state = 'failing';
      expect((await search()).results).toMatchObject([{ event_id: 'e' }]);
      expect(await health()).toMatchObject({ status: 'ok', event_index: { status: 'down' } });
      const metrics: string = await call('/metrics', undefined, 'GET');
      expect(metrics).toMatch(/^memhall_event_index_fallbacks_total{reason="unavailable"} 1$/m);
      expect(metrics).toMatch(/^memhall_event_index_waiting 0$/m);
      const forget = async () =>
        server.call({ method: 'DELETE', path: at('memory'), token: await server.token({ roles: ['admin'] }) });
      const refused = await forget();
      expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE']);
      expect(refused.body.error.message).toContain('so nothing was done');
      service.state = 'ok';
      const { receipt } = (await forget()).body;
      expect(receipt.counts).toMatchObject({ events: 1, index_documents: 1 });
      expect(service.with('zqibis')).toEqual([]);
      expect(log()).toContain('responded with status 503');
      expect(log()).not.toMatch(new RegExp(`zqibis|${service.apiKey}`));
    } finally {
      await server.close();
    }
  });
});

describeOneDatabase('events in Azure AI Search and blobs', (database) => {
  const azurite = useAzurite();
  const container = newContainer();
  const running = useEngine(database, () => ({ ...azurite().settings(container), azureSearchUrl: service.url }));

  it('are removed from both or from none', async () => {
    service.reset();
    const own = new IndexedEngine(running());
    const me = callerOf('me');
    await own.tell(me, 'e', 'zqlark sings');
    await own.tell(me, 'e', 'zqlark sings again');
    await own.index();
    expect(service.with('zqlark')).toMatchObject([{ digest: 'zqlark sings again' }]);
    service.state = 'failing';
    await expect(forgetEvent(own.engine, me, 'e')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    service.state = 'ok';
    const blob = () => running().outer?.blobs.get(me, { kind: 'event', folder: '', name: 'e' });
    expect((await blob())?.text).toContain('zqlark sings again');
    expect(await own.ids(me, {})).toEqual(['e']);
    expect(await forgetEvent(own.engine, me, 'e')).toBe(true);
    expect([await blob(), service.with('zqlark')]).toEqual([undefined, []]);
    await own.tell(me, 'f', 'zqlark returns');
    await running().outer?.rebuild();
    await own.index();
    expect(service.with('zqlark')).toMatchObject([{ digest: 'zqlark returns' }]);
  });
});

describeOneDatabase('starting with Azure AI Search', (database) => {
  const settings = () => ({ azureSearchUrl: service.url });
  const start = async () => {
    const { logger, log } = keepLog();
    const running = await startEngine(database().config(settings()), logger);
    await running.close();
    return log();
  };
  const doctor = async () => {
    const run = await runCommand(['doctor', ...flagsOf(database())], { MEMHALL_AZURE_SEARCH_URL: service.url });
    return run.stdout.split('\n').find((line) => line.includes('event index'));
  };

  it('needs an index of ours and permission, but not that the service responds', async () => {
    service.reset();
    expect(await doctor()).toContain('will be created by a job');
    expect(await start()).not.toContain('index of events');
    service.state = 'failing';
    expect(await start()).toContain('responded with status 503');
    expect(await doctor()).toContain('recall finds events meanwhile');
    service.state = 'denies';
    await expect(start()).rejects.toThrow(
      /responded with status 403\. The identity of this process needs the roles Search/,
    );
    service.state = 'ok';
    service.index = { name: 'memhall-events', fields: [{ name: 'hotel' }] };
    await expect(start()).rejects.toThrow(
      /was not made by Memhall\. Choose another name with MEMHALL_AZURE_SEARCH_INDEX/,
    );
    expect(await doctor()).toContain('was not made by Memhall');
    service.index = undefined;
  });

  it('sends at most 1000 documents and 16 MB at once', async () => {
    const index = new AzureSearchIndex({
      serviceUrl: service.url,
      indexName: 'limits',
      access: { apiKey: service.apiKey },
    });
    service.reset();
    await index.create();
    expect(await index.exists()).toBe(true);
    const event = (number: number, digest: string) => ({
      event: {
        event_id: `e${number}`,
        tenant_id: 't1',
        user_id: 'u1',
        service_id: null,
        timestamp: '2026-01-01T00:00:00.000Z',
        source_type: null,
        digest,
        keywords: [],
        project_ids: [],
      },
      etag: 'e',
      createdAt: new Date(),
    });
    const owner = { tenantId: 't1', userId: 'u1' };
    const batchesOf = async (call: () => Promise<unknown>) => {
      const before = service.batches.length;
      await call();
      return service.batches.slice(before);
    };
    const many = Array.from({ length: 1001 }, (_, number) => event(number, 'Short.'));
    expect(await batchesOf(() => index.put(owner, many))).toEqual([1000, 1]);
    const large = Array.from({ length: 40 }, (_, number) => event(number, 'ä'.repeat(250_000)));
    expect(await batchesOf(() => index.put(owner, large))).toEqual([29, 11]);
    expect(await batchesOf(() => index.removeAll('t1', 'u1'))).toEqual([1000, 1]);
    expect(service.documents.size).toBe(0);
    await index.drop();
    await expect(index.search(owner, { text: 'x', limit: 1 })).rejects.toMatchObject({ code: 'missing' });
    await index.remove(owner, ['e1']);
    expect(await index.removeAll('t1', null)).toBe(0);
  });

  it('explains wrong settings', async () => {
    const faults: [Record<string, string>, string][] = [
      [{ azureSearchUrl: 'http://search.example' }, 'MEMHALL_AZURE_SEARCH_URL must be an https URL'],
      [{ azureSearchUrl: 'https://a.search.windows.net/indexes' }, 'MEMHALL_AZURE_SEARCH_URL must be an https URL'],
      [{ azureSearchUrl: service.url, azureSearchIndex: 'A b' }, 'MEMHALL_AZURE_SEARCH_INDEX must have 2 to 128'],
      [{ azureSearchKey: 'zqkey' }, 'MEMHALL_AZURE_SEARCH_API_KEY requires MEMHALL_AZURE_SEARCH_URL'],
    ];
    for (const [given, message] of faults) {
      expect(() => database().config(given)).toThrow(message);
      expect(() => database().config(given)).not.toThrow('zqkey');
    }
  });
});
