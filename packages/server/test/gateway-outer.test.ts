import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMessages } from '../src/engine/conversations/add-messages.js';
import { flushChat } from '../src/engine/conversations/flush-chat.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { useAzurite } from './support/azurite.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { faultyArtifactStore } from './support/faulty-artifact-store.js';
import { GatewayUser } from './support/gateway-user.js';
import { outerOf, withBlobs } from './support/outer.js';
import { startTestServer, type TestServer } from './support/server.js';

describe('the gateway with an outer store', () => {
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

  it('closes, corrects and removes episodes in the outer store as well', async () => {
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

  it('stores files in the outer store', async () => {
    const me = await GatewayUser.of(server);
    const { status, body } = await me.upload('The walrus sleeps.');
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'extracted', chunks: 1 } });
    expect(await me.texts('walrus')).toEqual(['The walrus sleeps.']);
    expect((await me.upload('The walrus sleeps.')).body.resource_id).toBe(body.resource_id);
    expect((await me.post('/resources/delete', { resource_id: body.resource_id })).body).toEqual({ deleted: 1 });
    expect(await me.texts('walrus')).toEqual([]);
    expect((await me.post('/resources/list')).body).toEqual({ resources: [] });
  });
});

describe('a flush whose process dies while it writes to the outer store', () => {
  const azurite = useAzurite();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database?.remove());
  const running = useEngine(
    () => database,
    () => azurite().settings(),
  );
  const place = { sessionId: 'chat:c', appId: 'default', projectId: 'default' };

  it('leaves one episode after a retry, at whatever point it died', async () => {
    const { engine } = running();
    for (let call = 0, hasEnded = true; hasEnded; call++) {
      for (const moment of ['before', 'after'] as const) {
        const caller = callerOf(`flusher-${call}-${moment}`);
        const message = { senderId: 'me', role: 'user' as const, at: new Date(1000), content: 'I live in Basel.' };
        await addMessages(engine, caller, place, [message]);
        const store = faultyArtifactStore(outerOf(engine).blobs, { call, moment });
        const dying = withBlobs(engine, store);
        hasEnded = await flushChat(dying, caller, place).then(
          () => false,
          () => true,
        );
        await addMessages(engine, caller, place, [{ ...message, content: 'And I work in Bern.' }]);
        await flushChat(engine, caller, place);
        const kinds = async (kind: string) =>
          (await listMemories(engine, caller, { scope: { own: true }, filter: { kinds: [kind] }, limit: 50 })).items;
        const episodes = (await kinds('event')).map(({ metadata }) => metadata);
        expect({ call, moment, episodes: episodes.length }).toEqual({ call, moment, episodes: hasEnded ? 1 : 2 });
        expect((await kinds('fact')).map(({ content }) => content)).toContain('I live in Basel');
      }
    }
  });
});
