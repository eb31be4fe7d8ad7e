import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMessages } from '../src/engine/conversations/add-messages.js';
import { abandonedEpisodes, extractEpisode } from '../src/engine/conversations/extract-episode.js';
import { flushChat } from '../src/engine/conversations/flush-chat.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { overrideOwn } from '../src/engine/one-memory/own-memories.js';
import { FakeChatServer } from '../src/providers/extractors/llm/test-support/fake-chat-server.js';
import { cheapestKind, createTestDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { GatewayUser } from './support/gateway-user.js';
import { startTestServer } from './support/server.js';

const place = { sessionId: 'chat:c', appId: 'default', projectId: 'default' };

describeOneDatabase('an episode read by a model', (database) => {
  const model = new FakeChatServer();
  beforeAll(() => model.start());
  afterAll(() => model.stop());
  beforeEach(() => model.reset());
  const settings = () => ({ extractor: 'llm', extractorUrl: model.baseUrl, extractorModel: 'fake' });
  const running = useEngine(database, settings);
  const engine = () => running().engine;

  async function closed(userId: string, ...texts: string[]) {
    const caller = callerOf(userId);
    const messages = texts.map((content, index) => ({
      senderId: userId,
      role: 'user' as const,
      at: new Date(1000 * (index + 1)),
      content,
    }));
    await addMessages(engine(), caller, place, messages);
    const { eventId = '' } = await flushChat(engine(), caller, place);
    const kinds = async (kind: string) =>
      (await listMemories(engine(), caller, { scope: { own: true }, filter: { kinds: [kind] }, limit: 50 })).items;
    return { caller, ref: { tenantId: 't1', userId, eventId }, kinds };
  }

  it('is closed at once, summarised by its first message, and read later', async () => {
    const { ref, kinds } = await closed('later', 'Hello there.', 'I live in Basel.');
    expect(model.requests).toEqual([]);
    expect((await kinds('event')).map(({ content }) => content)).toEqual(['Hello there.']);
    await extractEpisode(engine(), ref);
    expect(model.requests).toHaveLength(1);
    expect(await kinds('event')).toMatchObject([{ externalId: ref.eventId, sessionId: 'chat:c' }]);
    const facts = await kinds('fact');
    expect(facts.map(({ content }) => content)).toContain('I live in Basel');
    expect(facts[0]?.metadata).toMatchObject({ extractor: expect.stringMatching(/^llm-/) });
    await extractEpisode(engine(), ref);
    expect(model.requests).toHaveLength(1);
    expect(await kinds('fact')).toEqual(facts);
  });

  it('is given up if the model rejects it, and keeps its first summary', async () => {
    const { ref, kinds } = await closed('fails', 'I live in Basel.');
    const fail = (_: unknown, response: { writeHead(status: number): { end(): void } }) => {
      response.writeHead(401).end();
      return true;
    };
    model.interceptNext(fail as never);
    await extractEpisode(engine(), ref);
    expect(await kinds('fact')).toEqual([]);
    expect((await kinds('event')).map(({ content }) => content)).toEqual(['I live in Basel.']);
    const asked = model.requests.length;
    await extractEpisode(engine(), ref);
    expect(model.requests).toHaveLength(asked);
  });

  it('keeps a concurrent manual correction', async () => {
    const { caller, ref, kinds } = await closed('changed', 'I live in Basel.');
    const [event] = await kinds('event');
    await overrideOwn(engine(), caller, event?.id ?? '', 'We spoke about homes.');
    await extractEpisode(engine(), ref);
    expect((await kinds('event')).map(({ content }) => content)).toEqual(['We spoke about homes.']);
    expect(await kinds('fact')).toHaveLength(1);
  });

  it('is not read after its user was forgotten', async () => {
    const { caller, ref, kinds } = await closed('gone', 'I live in Basel.');
    await forgetUser(engine(), caller);
    await extractEpisode(engine(), ref);
    expect(model.requests).toEqual([]);
    expect([...(await kinds('event')), ...(await kinds('fact'))]).toEqual([]);
  });

  it('is found by the sweep if it was never read', async () => {
    const { ref } = await closed('left', 'I live in Basel.');
    expect(await abandonedEpisodes(engine(), 't1')).not.toContainEqual(ref);
    const later = { ...engine(), clock: { now: () => new Date(Date.now() + 600_000) } };
    expect(await abandonedEpisodes(later, 't1')).toContainEqual(ref);
  });
});

describe('a flush with a model', () => {
  it('responds without waiting for the model, and a job does the rest', async () => {
    const model = new FakeChatServer();
    await model.start();
    const database = await createTestDatabase(cheapestKind);
    const settings = { extractor: 'llm', extractorUrl: model.baseUrl, extractorModel: 'fake', jobs: 'true' };
    const server = await startTestServer(database, settings);
    try {
      const me = await GatewayUser.of(server);
      await me.say('c', 'I live in Basel.');
      expect((await me.flush('c')).body).toMatchObject({ status: 'extracted', episodes: 1 });
      const token = await server.token({ user: me.user });
      const facts = async () => (await server.call({ path: '/v1/memories?kind=fact', token })).body.memories;
      await expect.poll(facts, { timeout: 30_000 }).toHaveLength(1);
      expect(model.requests).toHaveLength(1);
    } finally {
      await server.close();
      await database.remove();
      await model.stop();
    }
  });
});
