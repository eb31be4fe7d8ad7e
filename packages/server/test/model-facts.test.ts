import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addMessages } from '../src/engine/conversations/add-messages.js';
import { extractEpisode } from '../src/engine/conversations/extract-episode.js';
import { flushChat } from '../src/engine/conversations/flush-chat.js';
import { replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { putFact } from '../src/engine/facts/put-fact.js';
import { getFact, listFacts } from '../src/engine/facts/read-facts.js';
import { documentOf, FakeChatServer } from '../src/providers/extractors/llm/test-support/fake-chat-server.js';
import { fact, proposing } from '../src/providers/extractors/llm/test-support/proposals.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const place = { sessionId: 'chat:c', appId: 'default', projectId: 'default' };
/** A text that is longer than what the rules read, so that the model alone speaks. */
const pasted = (text: string) => `${text}\n\n${'The weather was fine. '.repeat(1000)}`;

describeOneDatabase('facts that a model proposes', (database) => {
  const model = new FakeChatServer();
  beforeAll(() => model.start());
  afterAll(() => model.stop());
  beforeEach(() => model.reset());
  const running = useEngine(database, () => ({
    extractor: 'llm',
    extractorUrl: model.baseUrl,
    extractorModel: 'fake',
  }));

  function newUser() {
    const { engine } = running();
    const caller = callerOf(`u-${randomUUID()}`);
    let minute = 0;
    /** Lets the user say something, and the model propose facts about it. */
    const chat = async (text: string, ...proposals: ReturnType<typeof fact>[]) => {
      minute += 1;
      const at = new Date(Date.UTC(2026, 0, 1, 0, minute));
      await addMessages(engine, caller, place, [{ senderId: caller.userId, role: 'user', at, content: text }]);
      const { eventId = '' } = await flushChat(engine, caller, place);
      model.interceptNext(proposing(proposals));
      await extractEpisode(engine, { tenantId: 't1', userId: caller.userId, eventId });
    };
    const state = (attribute: string, value: string) =>
      putFact(engine, caller, { subject: 'me', attribute, value, validFrom: new Date('2020-01-01') });
    const list = async () => {
      const { items } = await listFacts(engine, caller, { includeSuperseded: true, limit: 50 });
      return items.map(({ fact: { attribute, value }, status }) => `${attribute} ${value}: ${status}`).sort();
    };
    const find = async (value: string) => {
      const { items } = await listFacts(engine, caller, { includeSuperseded: true, limit: 50 });
      const found = items.find((item) => item.fact.value === value);
      return found && getFact(engine, caller, found.fact.id);
    };
    return { engine, caller, chat, state, list, find };
  }

  it('are stored with the words of the user as evidence', async () => {
    const { chat, list, find } = newUser();
    await chat(pasted('I live in Bergen.'), fact('I live in Bergen', [1]));
    expect(await list()).toEqual(['lives in Bergen: current']);
    const found = await find('Bergen');
    expect(found?.evidence).toMatchObject([{ kind: 'fact', content: 'I live in Bergen', trust: 'user' }]);
  });

  it('are refused if nobody said so', async () => {
    const { chat, list } = newUser();
    await chat(pasted('I live in Bergen.'), fact('I live in Rome', [1]), fact('I live in Bergen', [7]));
    expect(await list()).toEqual([]);
  });

  it('do not end a value that they contradict, however they are worded', async () => {
    const { chat, state, list } = newUser();
    await state('lives in', 'Bergen');
    await chat(pasted('I moved to Oslo last week.'), fact('I moved to Oslo last week', [1]));
    expect(await list()).toEqual(['lives in Bergen: current', 'lives in Oslo: unconfirmed']);
    await chat(
      pasted('I live in Rome now, no longer in Bergen.'),
      fact('I live in Rome now, no longer in Bergen', [1]),
    );
    expect(await list()).toContain('lives in Bergen: current');
    expect(await list()).toContain('lives in Rome: unconfirmed');
  });

  it('do not end what they say is over', async () => {
    const { chat, state, list } = newUser();
    await state('works at', 'Siemens');
    await state('lives in', 'Bergen');
    await chat(pasted('I quit my job at Siemens.'), fact('I quit my job at Siemens', [1]));
    await chat(pasted('I lived in Bergen until March 2025.'), fact('I lived in Bergen until March 2025', [1]));
    await chat(pasted('I live in Bergen until March 2025.'), fact('I live in Bergen until March 2025', [1]));
    await chat(pasted('I no longer live in Bergen.'), fact('I no longer live in Bergen', [1]));
    await chat(pasted('I never lived in Bergen.'), fact('I never lived in Bergen', [1]));
    expect(await list()).toEqual(['lives in Bergen: current', 'works at Siemens: current']);
  });

  it('do not end texts that they claim to correct', async () => {
    const { chat, list } = newUser();
    await chat('I prefer short answers.', fact('I prefer short answers', [1], { kind: 'preference' }));
    expect(await list()).toEqual(['preference I prefer short answers: current']);
    const correction = { kind: 'preference', supersedes: 'I prefer short answers' } as const;
    await chat('I prefer long answers.', fact('I prefer long answers', [1], correction));
    expect(await list()).toEqual([
      'preference I prefer long answers: unconfirmed',
      'preference I prefer short answers: current',
    ]);
  });

  it('may name what a statement is about, which the rules do not understand', async () => {
    const { chat, list, find } = newUser();
    const states = { subject: 'me', attribute: 'Lives in', value: 'lisbon' };
    await chat('Home for me these days: Lisbon.', fact('Home for me these days: Lisbon', [1], states));
    expect(await list()).toEqual(['lives in Lisbon: current']);
    expect((await find('Lisbon'))?.evidence).toMatchObject([{ kind: 'fact', trust: 'user' }]);
    await chat(
      'Home for me these days: Oslo.',
      fact('Home for me these days: Oslo', [1], { ...states, value: 'Oslo' }),
    );
    expect(await list()).toEqual(['lives in Lisbon: current', 'lives in Oslo: unconfirmed']);
    const [request] = model.requests;
    expect(documentOf(request?.body as never).attributes).toContain('lives in');
  });

  it.each([
    ['an attribute that nobody knows', { attribute: 'shoe size', value: 'Lisbon' }],
    ['a value that was not said', { attribute: 'lives in', value: 'Rome' }],
    ['somebody who was not named', { subject: 'Bob', attribute: 'lives in', value: 'Lisbon' }],
  ])('are only texts if they name %s', async (_, states) => {
    const { chat, list } = newUser();
    await chat('Home for me these days: Lisbon.', fact('Home for me these days: Lisbon', [1], states));
    expect(await list()).toEqual(['about Home for me these days: Lisbon: current']);
  });

  it('are only texts if these do not say what is true now', async () => {
    const { chat, list } = newUser();
    const states = { subject: 'me', attribute: 'lives in', value: 'Lisbon' };
    await chat('Home for me was once Lisbon.', fact('Home for me was once Lisbon', [1], states));
    expect((await list()).filter((line) => line.startsWith('lives in'))).toEqual([]);
  });

  it('are learned from replays under the same rules', async () => {
    const { caller, engine, list } = newUser();
    const replay = async (conversationId: string, text: string, value: string) => {
      const messages = [{ id: 'm1', role: 'user' as const, content: text, timestamp: '2026-03-02T10:00:00Z' }];
      const profileId = 'project-copilot-v1';
      const taken = await takeSnapshot(engine, caller, { conversationId, profileId, messages, replay: true });
      const digest = { quotes: [{ message: 1, text }], keywords: [] };
      const states = { subject: 'me', attribute: 'lives in', value };
      model.interceptNext(proposing([fact(text, [1], states)], digest));
      await replayConversation(engine, { tenantId: 't1', userId: caller.userId, replayId: taken.replayId ?? '' });
    };
    await replay('c1', 'Home for me these days: Lisbon.', 'Lisbon');
    expect(await list()).toEqual(['lives in Lisbon: current']);
    await replay('c2', 'Home for me these days: Oslo.', 'Oslo');
    expect(await list()).toEqual(['lives in Lisbon: current', 'lives in Oslo: unconfirmed']);
  });
});
