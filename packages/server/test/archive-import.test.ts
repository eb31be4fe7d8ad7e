import { expect, it } from 'vitest';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { deleteMemories } from '../src/store/postgres/change-memories.js';
import { useArchiveSource } from './support/archive-source.js';
import { exportTo, importFrom, recordsOf } from './support/archives.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer } from './support/server.js';

describeEachDatabase('an imported archive', (database) => {
  const { archives, engine, pool, newTenant, knows, elsewhere } = useArchiveSource(database);

  it('keeps the original order and sorts later writes after it', async () => {
    const tenant = newTenant();
    for (const content of ['one', 'two', 'three']) await knows(tenant, 'u1', content);
    const path = await exportTo(database(), archives.path('order'), { tenantId: tenant });
    await elsewhere(async (target) => {
      const server = await startTestServer(target);
      const token = await server.token({ tenant, user: 'u1' });
      const query = async () =>
        (await server.call({ method: 'POST', path: '/v1/memory/semantic/query', body: { query: 'one three' }, token }))
          .body;
      expect((await query()).count).toBe(0);
      await importFrom(target, path);
      const stored = await server.call({
        method: 'POST',
        path: '/v1/memory/semantic',
        body: { content: 'one more' },
        token,
      });
      expect(stored.status).toBe(201);
      expect((await query()).count).toBe(1);
      const rows = await pastEverything(target, 'SELECT content FROM memhall.memories ORDER BY seq');
      expect(rows).toEqual(['one', 'two', 'three', 'one more'].map((content) => ({ content })));
      await server.close();
    });
  });

  it('is visible to servers that searched before the import', async () => {
    const tenant = newTenant();
    const me = callerOf('u1', tenant);
    const find = async () => (await recall(engine(), me, { text: 'kettle', scope: { own: true }, limit: 5 })).length;
    await knows(tenant, 'u1', 'the kettle is on');
    const path = await exportTo(database(), archives.path('seen'), { tenantId: tenant });
    expect(await find()).toBe(1);
    await pool().query(deleteMemories('tenant_id = $1'), [tenant]);
    expect(await find()).toBe(0);
    expect(await importFrom(database(), path)).toMatchObject({ added: 1 });
    expect(await find()).toBe(1);
    const { items } = await listMemories(engine(), me, { scope: { own: true }, limit: 5 });
    expect(items).toHaveLength(1);
  });

  it('merges users from several databases', async () => {
    const tenant = newTenant();
    await knows(tenant, 'ann', 'public from ann', { visibility: 'public' });
    const path = await exportTo(database(), archives.path('together'), { tenantId: tenant, userId: 'ann' });
    const seq = recordsOf(path)[0].seq;
    await pool().query('DELETE FROM memhall.memories WHERE tenant_id = $1', [tenant]);
    await knows(tenant, 'bob', 'public from bob', { visibility: 'public' });
    await pool().query('UPDATE memhall.memories SET seq = $2 WHERE tenant_id = $1', [tenant, seq]);
    await importFrom(database(), path);
    const { items } = await listMemories(engine(), callerOf('eve', tenant), { scope: { public: true }, limit: 5 });
    expect(items.map(({ content }) => content)).toEqual(['public from ann', 'public from bob']);
    expect(await importFrom(database(), path)).toMatchObject({ added: 0 });
  });
});
