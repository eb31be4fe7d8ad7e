import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useAzurite } from './support/azurite.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { GatewayUser } from './support/gateway-user.js';
import { startTestServer, type TestServer } from './support/server.js';

describe('the gateway beside an outer store', () => {
  const azurite = useAzurite();
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    server = await startTestServer(database, azurite().settings());
  });
  afterAll(async () => {
    await server?.close();
    await database?.remove();
  });

  it('closes episodes, corrects them and removes them there too', async () => {
    const me = await GatewayUser.of(server);
    const token = await server.token({ user: me.user });
    const events = async () => {
      const path = `/v1/tenants/t1/users/${me.user}/events:search`;
      const { body } = await server.call({ method: 'POST', path, body: {}, token });
      return body.results.map(({ digest }: { digest: string }) => digest);
    };
    await me.say('c', 'We talked about the walrus at length.', 'And about the heron as well.');
    const closings = await Promise.all([me.flush('c'), me.flush('c')]);
    expect(closings.map(({ body }) => body.episodes).sort()).toEqual([0, 1]);
    const found = await me.found('walrus heron', { conversation_id: 'c', top_k: 50 });
    const { id } = found.find(({ raw }) => raw.kind === 'event') ?? {};
    await me.post('/memories/override', { id, content: 'A walrus and a heron.' });
    expect(await events()).toEqual(['A walrus and a heron.']);
    expect((await me.post('/memories/delete', { id })).body).toEqual({ deleted: 1 });
    expect(await events()).toEqual([]);
    await me.say('c', 'And once more.');
    expect((await me.flush('c')).body).toMatchObject({ status: 'extracted', episodes: 1 });
    expect(await events()).toHaveLength(1);
  });
});
