import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { halves, languages, readConversations } from '../../../benchmarks/extraction/conversations.mjs';
import { Scores } from '../../../benchmarks/extraction/scores.mjs';
import { createLlmExtractor } from '../src/providers/extractors/llm/llm-extractor.js';
import { FakeChatServer } from '../src/providers/extractors/llm/test-support/fake-chat-server.js';
import { createRulesExtractor } from '../src/providers/extractors/rules/rules-extractor.js';

const extractor = createRulesExtractor();

const corpora = halves.flatMap((half) => languages.map((language) => ({ half, language })));

/** Enough of each language; `names` only adds to English. */
const fewest = { en: 80, names: 10, de: 60, fr: 60, es: 60 };

describe.each(corpora)('the labelled conversations, $half half, $language', ({ half, language }) => {
  const conversations = readConversations(half, language);

  it('include enough conversations with and without something to remember', () => {
    expect(conversations.length).toBeGreaterThanOrEqual(fewest[language]);
    const empty = conversations.filter(({ remember }) => remember.length === 0).length;
    expect(empty).toBeGreaterThanOrEqual(language === 'names' ? 0 : 25);
    expect(new Set(conversations.map(({ id }) => id)).size).toBe(conversations.length);
  });

  it('let the rules extractor reach a recall of 0.8 and a precision of 0.95, without a forbidden fact', async () => {
    const scores = new Scores();
    for (const conversation of conversations) {
      const { facts } = await extractor.extract(conversation);
      scores.add(conversation, facts);
    }
    const [all] = scores.result();
    expect(all?.precision).toBeGreaterThanOrEqual(0.95);
    expect(all?.recall).toBeGreaterThanOrEqual(0.8);
    expect(scores.forbidden).toBe(0);
  });

  it('yield no digest with a secret that must never be stored', async () => {
    for (const conversation of conversations) {
      const { digest } = await extractor.extract(conversation);
      const secrets = (conversation.never ?? []).filter((words) => /\d{4}|hunter2|sk-live|ghp_/i.test(words));
      for (const secret of secrets) expect(digest?.text ?? '').not.toContain(secret);
    }
  });
});

describe('a model that wants to store everything', () => {
  const server = new FakeChatServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());

  it('neither sees nor stores the secrets and injected instructions in the labelled conversations', async () => {
    const greedy = createLlmExtractor({ baseUrl: server.baseUrl, model: 'greedy' });
    const hostile = readConversations('tuning', 'en').filter(({ about }) =>
      /injection|forget previous|password|card|pin$|ssn|key|bank/.test(about),
    );
    expect(hostile.length).toBeGreaterThanOrEqual(11);
    for (const conversation of hostile) {
      server.reset();
      const kept = JSON.stringify([
        await greedy.extract(conversation),
        server.requests.map(({ body }) => body.messages),
      ]);
      for (const words of conversation.never ?? []) expect(kept).not.toContain(words);
    }
  });
});
