import { beforeAll, describe, expect, it } from 'vitest';
import { forgetEvent } from '../src/engine/events/forget-event.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { checkReceipt } from '../src/engine/governance/check-receipt.js';
import { eraseTenant } from '../src/engine/governance/erase-tenant.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { IndexedEngine, useSearchService } from './support/indexed-engine.js';

const service = useSearchService();

describeOneDatabase('events in Azure AI Search', (database) => {
  const running = useEngine(database, () => ({ azureSearchUrl: service.url }));
  let own: IndexedEngine;
  beforeAll(() => {
    service.reset();
    own = new IndexedEngine(running());
  });
  const unavailable = { code: 'UNAVAILABLE', message: expect.stringContaining('so nothing was done') };

  it('are found by recall until the index has them, then by the index', async () => {
    const me = callerOf('finder');
    await own.tell(me, 'a', 'Planted roses and tulips in the garden.');
    await own.tell(me, 'b', 'Watered the roses.', { keywords: ['Gärtnern'] });
    await own.tell(me, 'c', 'Sold the car.');
    const asked = service.searches.length;
    expect(await own.ids(me, { query: 'car' })).toEqual(['c']);
    expect([own.fallbacks.at(-1), service.searches.length]).toEqual(['behind', asked]);
    expect(service.index).toBeUndefined();
    expect(await own.index()).toMatchObject({ events: 3 });
    expect(await own.search(me, { query: 'roses, tulips?' })).toEqual([
      { id: 'a', digest: 'Planted roses and tulips in the garden.', score: 2 / 3 },
      { id: 'b', digest: 'Watered the roses.', score: 1 / 2 },
    ]);
    expect(service.searches.at(-1)).toMatchObject({ searchMode: 'any', queryType: 'simple', select: 'event_id,etag' });
    expect(await own.ids(me, { query: 'gärtnern' })).toEqual(['b']);
    expect(await own.ids(me, { query: 'quantum' })).toEqual([]);
    expect(await own.ids(me, {})).toEqual(['c', 'b', 'a']);
    expect(own.fallbacks).toEqual(['behind']);
    expect(await own.index()).toMatchObject({ events: 0 });
  });

  it('are not searched for in the index while it may still lack them', async () => {
    const me = callerOf('hasty');
    await own.tell(me, 'a', 'Wrote a letter.');
    await own.index();
    const asked = service.searches.length;
    expect(await own.search(me, { query: 'letter' }, 5000)).toMatchObject([{ id: 'a' }]);
    expect(service.searches.length).toBe(asked);
    expect(await own.search(me, { query: 'letter' }, 15_000)).toMatchObject([{ id: 'a' }]);
    expect(service.searches.length).toBe(asked + 1);
  });

  describe('with filters', () => {
    const me = callerOf('filtering');
    beforeAll(async () => {
      await own.tell(me, 'a', 'A note.', {
        service_id: 's1',
        source_type: 'chat',
        timestamp: '2026-01-01T00:00:00.000Z',
      });
      await own.tell(me, 'b', 'A note.', { service_id: "it's", source_type: 'mail', project_ids: ['p1', 'p2'] });
      await own.tell(me, 'c', 'A note.', {
        service_id: 's1',
        project_ids: ["p'2"],
        timestamp: '2026-03-01T00:00:00.000Z',
      });
      await own.tell(callerOf('other'), 'd', 'A note of somebody else.', { service_id: 's1' });
      await own.tell(callerOf('filtering', 't2'), 'e', 'A note of another tenant.', { service_id: 's1' });
      await own.index();
    });

    it.each([
      [{}, ['a', 'b', 'c']],
      [{ serviceId: 's1' }, ['a', 'c']],
      [{ serviceId: "it's" }, ['b']],
      [{ sourceType: 'mail' }, ['b']],
      [{ projectId: 'p2' }, ['b']],
      [{ projectId: "p'2" }, ['c']],
      [{ projectId: 'p' }, []],
      [{ from: new Date('2026-02-01T00:00:00Z') }, ['b', 'c']],
      [{ to: new Date('2026-02-01T00:00:00Z') }, ['a']],
      [{ serviceId: 's1', from: new Date('2026-01-02T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') }, ['c']],
      [{ serviceId: "x' or tenant_id ne 'x" }, []],
      [{ serviceId: "s1' or user_id ne 'x' or service_id eq 's1" }, []],
      [{ sourceType: "') or (tenant_id ne '" }, []],
      [{ projectId: "p') or project_ids/any(p: p ne 'x" }, []],
      [{ projectId: "x'' or true or ''" }, []],
    ])('%j finds what they select', async (conditions, expected) => {
      const before = own.fallbacks.length;
      expect((await own.ids(me, { query: 'note', ...conditions })).sort()).toEqual(expected);
      expect(own.fallbacks.length).toBe(before);
    });

    it.each(['-nothing', '*', 'not*', '-', '"', '\\', "'", '() | +', '~', '', ' \u0000 ', 'search=*&filter=', '😀'])(
      'the query %j has no operators',
      async (query) => {
        const before = [own.fallbacks.length, own.faults.length];
        expect(await own.ids(me, { query })).toEqual([]);
        expect([own.fallbacks.length, own.faults.length]).toEqual(before);
      },
    );

    it('very long queries are cut', async () => {
      const query = `${Array.from({ length: 5000 }, (_, number) => `w${number}`).join(' ')} note`;
      expect(await own.ids(me, { query })).toEqual([]);
      expect(await own.ids(me, { query: `note ${query}` })).toHaveLength(3);
    });
  });

  it('come from the store: documents about others, of older versions and of nothing are not shown', async () => {
    const [me, other] = [callerOf('reader'), callerOf('victim')];
    await own.tell(me, 'mine', 'zqowl at home.');
    await own.tell(other, 'theirs', 'zqowl abroad.');
    await own.index();
    const [mine, theirs] = ['mine', 'theirs'].map((id) =>
      [...service.documents.values()].find((one) => one.event_id === id),
    );
    const forged = { ...theirs, tenant_id: 't1', user_id: 'reader' };
    service.documents.set('forged', { ...forged, key: 'forged' });
    service.documents.set('stale', { ...mine, key: 'stale', etag: 'older', digest: 'zqowl zqowl zqold' });
    service.documents.set('gone', { ...mine, key: 'gone', event_id: 'never' });
    expect(await own.search(me, { query: 'zqowl zqold' })).toEqual([
      { id: 'mine', digest: 'zqowl at home.', score: 1 / 2 },
    ]);
    for (const key of ['forged', 'stale', 'gone']) service.documents.delete(key);
  });

  it('lose their document before they are replaced, or stay', async () => {
    const me = callerOf('editor');
    await own.tell(me, 'e', 'zqdraft of a letter');
    await own.index();
    expect(service.with('zqdraft')).toHaveLength(1);
    await own.tell(me, 'e', 'zqfinal letter');
    expect(service.with('zqdraft')).toEqual([]);
    expect(await own.ids(me, { query: 'zqfinal' })).toEqual(['e']);
    await own.index();
    expect(service.with('zqfinal')).toHaveLength(1);
    service.state = 'failing';
    await expect(own.tell(me, 'e', 'zqlater letter')).rejects.toMatchObject(unavailable);
    await expect(forgetEvent(own.engine, me, 'e')).rejects.toMatchObject(unavailable);
    await own.tell(me, 'new', 'zqnew letter');
    expect(await own.ids(me, { query: 'zqnew' })).toEqual(['new']);
    expect(await own.search(me, { query: 'zqfinal' })).toMatchObject([{ id: 'e', digest: 'zqfinal letter' }]);
    service.state = 'ok';
    expect(await forgetEvent(own.engine, me, 'e')).toBe(true);
    expect(service.with('zqfinal')).toEqual([]);
    expect(await forgetEvent(own.engine, me, 'e')).toBe(false);
  });

  it('get their document back if a transaction fails after it was removed', async () => {
    const me = callerOf('unlucky');
    await own.tell(me, 'e', 'zqphoenix rises');
    await own.index();
    const attempt = own.engine.store.erase(me, async (tables) => {
      await tables.retention.removeArtifacts('event', new Date(), 10);
      await tables.flushed();
      expect(service.with('zqphoenix')).toEqual([]);
      throw new Error('killed');
    });
    await expect(attempt).rejects.toThrow('killed');
    expect(await own.ids(me, { query: 'zqphoenix' })).toEqual(['e']);
    await own.index();
    expect(service.with('zqphoenix')).toHaveLength(1);
  });

  it('are removed by retention together with their documents, or not at all', async () => {
    const me = callerOf('aging');
    await own.tell(me, 'old', 'zqfossil found', { timestamp: '2020-01-01T00:00:00.000Z' });
    await own.tell(me, 'young', 'zqchick hatched', { timestamp: new Date().toISOString() });
    await own.index();
    const retention = { profileId: 'project-copilot-v1' };
    service.state = 'throttling';
    await expect(applyRetention(own.engine, me, retention)).rejects.toMatchObject({
      ...unavailable,
      retryAfterSeconds: 60,
    });
    service.state = 'ok';
    expect(await own.ids(me, {})).toEqual(['young', 'old']);
    expect(await applyRetention(own.engine, me, retention)).toMatchObject({ eventsDeleted: 1 });
    expect(service.with('zqfossil')).toEqual([]);
    expect(service.with('zqchick')).toHaveLength(1);
  });

  it('of a forgotten user leave no document, and the receipt counts them', async () => {
    const [me, other] = [callerOf('leaver'), callerOf('stayer')];
    for (const id of ['a', 'b']) await own.tell(me, id, `zqswift ${id}`);
    await own.tell(other, 'a', 'zqswift stays');
    await own.index();
    await own.tell(me, 'c', 'zqswift unsent');
    const [document] = service.with('zqswift a');
    service.documents.set('left-behind', { ...document, key: 'left-behind', event_id: 'x' });
    service.state = 'failing';
    await expect(forgetUser(own.engine, me)).rejects.toMatchObject(unavailable);
    service.state = 'ok';
    expect(await own.ids(me, {})).toHaveLength(3);
    const receipt = await forgetUser(own.engine, me);
    expect(receipt.counts).toMatchObject({ events: 3, index_documents: 3 });
    expect(service.with('zqswift')).toMatchObject([{ user_id: 'stayer' }]);
    const check = () => checkReceipt(own.engine, me, receipt.id);
    expect(await check()).toMatchObject({ remaining: { index_documents: 0 }, isVerified: true });
    service.documents.set('restored', { ...document, key: 'restored' });
    expect(await check()).toMatchObject({ remaining: { index_documents: 1 }, isVerified: false });
    service.documents.delete('restored');
    await own.tell(me, 'd', 'zqswift returns');
    await own.index();
    expect(await check()).toMatchObject({ newer: { index_documents: 1 }, isVerified: true });
    service.state = 'failing';
    await expect(check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('of a forgotten user leave no document, even if the index does not find it yet', async () => {
    const me = callerOf('quick');
    await own.tell(me, 'a', 'zqwren seen');
    await own.index();
    service.lags = true;
    await own.tell(me, 'b', 'zqwren heard');
    await own.index();
    const receipt = await forgetUser(own.engine, me);
    expect(receipt.counts).toMatchObject({ events: 2, index_documents: 1 });
    expect(service.with('zqwren')).toEqual([]);
    expect(await checkReceipt(own.engine, me, receipt.id)).toMatchObject({ isVerified: false });
    service.lags = false;
    expect(await checkReceipt(own.engine, me, receipt.id)).toMatchObject({ isVerified: true });
  });

  it('that are being sent while their user is forgotten leave no document', async () => {
    const me = callerOf('racer');
    await own.tell(me, 'a', 'zqcomet passes');
    let forgotten: Promise<unknown> | undefined;
    service.onBatch = async () => {
      forgotten ??= forgetUser(own.engine, me);
    };
    await own.index();
    await forgotten;
    await own.index();
    expect(service.with('zqcomet')).toEqual([]);
  });

  it('of an erased tenant leave no document', async () => {
    for (const user of ['u1', 'u2']) await own.tell(callerOf(user, 'acme'), 'a', `zqheron of ${user}`);
    await own.tell(callerOf('u1', 'acme2'), 'a', 'zqheron elsewhere');
    await own.index();
    const [document] = service.with('zqheron of u1');
    service.documents.set('unknown', { ...document, key: 'unknown', user_id: 'u9' });
    const receipt = await eraseTenant(own.engine, callerOf('', 'acme'));
    expect(receipt.counts).toMatchObject({ events: 2, index_documents: 2 });
    expect(service.with('zqheron')).toMatchObject([{ tenant_id: 'acme2' }]);
  });

  it('wait if the index takes only some, and do not wait for one that it can never take', async () => {
    const me = callerOf('patient');
    await own.tell(me, 'a', 'zqheap of stones');
    await own.tell(me, 'b', 'zqheap of sand');
    service.state = 'partial';
    await expect(own.index()).rejects.toThrow('did not accept all changes');
    service.state = 'ok';
    service.refuses = ({ event_id }) => event_id === 'a';
    const before = own.faults.length;
    expect(await own.index()).toMatchObject({ events: 2 });
    expect(own.faults.slice(before).map(String)).toEqual([expect.stringMatching(/cannot hold 1 events$/)]);
    expect(service.with('zqheap')).toMatchObject([{ event_id: 'b' }]);
    expect(await own.index()).toMatchObject({ events: 0 });
  });

  it('are rebuilt from the store by `memhall reindex`, for a tenant or all', async () => {
    const me = callerOf('keeper', 'museum');
    for (const id of ['a', 'b', 'c']) await own.tell(me, id, `zqvase ${id}`);
    await own.index();
    const [a] = service.with('zqvase a');
    const damage = () => {
      service.documents.delete(String(a?.key));
      service.documents.set('planted', { ...a, key: 'planted', digest: 'zqvase planted' });
    };
    damage();
    const environment = { MEMHALL_AZURE_SEARCH_URL: service.url };
    const reindex = (...args: string[]) => runCommand(['reindex', ...args, ...flagsOf(database())], environment);
    expect(await reindex('--tenant', 'museum')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ indexed=3\n$/),
    });
    const digests = () => service.with('zqvase').map(({ digest }) => digest);
    expect(digests().sort()).toEqual(['zqvase a', 'zqvase b', 'zqvase c']);
    damage();
    service.documents.set('unknown', { ...a, key: 'unknown', tenant_id: 'nobody', user_id: 'nobody' });
    expect(await reindex()).toMatchObject({ code: 0, stdout: expect.stringMatching(/ indexed=\d+\n$/) });
    expect(digests().sort()).toEqual(['zqvase a', 'zqvase b', 'zqvase c']);
    expect(service.with('"tenant_id":"t1"').length).toBeGreaterThan(5);
    service.state = 'failing';
    expect(await reindex()).toMatchObject({ code: 1, stderr: expect.stringContaining('responded with status 503') });
  });

  it('that existed before the index are added to it, and those of an archive as well', async () => {
    const me = callerOf('collector', 'library');
    for (const id of ['a', 'b']) await own.tell(me, id, `zqbook ${id}`);
    await own.index();
    service.index = undefined;
    service.documents.clear();
    expect(await own.ids(me, { query: 'zqbook' })).toEqual(expect.arrayContaining(['a', 'b']));
    expect(own.fallbacks.at(-1)).toBe('unavailable');
    await own.index();
    expect(service.with('zqbook')).toHaveLength(2);

    const { store } = own.engine;
    const type = store.archiveTypes.find(({ name }) => name === 'artifact');
    if (type === undefined) throw new Error('archives have artifacts');
    const page = { userId: 'collector', after: undefined, limit: 10 };
    const rows = await store.inspect('library', (tables) => tables.archive.page(type, page));
    await forgetUser(own.engine, me);
    expect(service.with('zqbook')).toEqual([]);
    const records = rows.map(({ line }) => ({ type: 'artifact', userId: 'collector', line, row: JSON.parse(line) }));
    await store.restore(me, (tables) => tables.archive.restore(type, records));
    await own.index();
    expect(service.with('zqbook')).toHaveLength(2);
  });

  it('are found by recall during an outage, which is counted and logged without keys and texts', async () => {
    const me = callerOf('sailor');
    await own.tell(me, 'a', 'zqstorm at sea');
    await own.index();
    service.state = 'denies';
    expect(await own.ids(me, { query: 'zqstorm' })).toEqual(['a']);
    service.state = 'ok';
    expect(await own.ids(me, { query: 'zqstorm' })).toEqual(['a']);
    service.state = 'failing';
    const [fallbacks, faults] = [own.fallbacks.length, own.faults.length];
    for (let number = 0; number < 4; number++) expect(await own.ids(me, { query: 'zqstorm' })).toEqual(['a']);
    expect(own.fallbacks.slice(fallbacks)).toEqual(Array(4).fill('unavailable'));
    const logged = own.faults
      .slice(faults)
      .map((error) => JSON.stringify([String(error), (error as Error).stack, error]));
    expect(logged).toHaveLength(4);
    expect(logged[0]).toContain('responded with status 503');
    expect(logged[3]).toContain('is not asked for a while');
    expect(logged.join()).not.toMatch(/zqstorm|Bearer|eyJ/);
    await expect(own.index()).rejects.toMatchObject({ name: 'EventIndexError', code: 'unavailable' });
  });
});
