import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ConversationDigest, KnownFact, ProposedFact } from '../../../../ports/extractor.js';
import { toMessages } from '../../rules/test-support/to-messages.js';
import type { Answer, FactProposal } from '../answer.js';
import { createLlmExtractor, type LlmExtractorOptions } from '../llm-extractor.js';
import { FakeChatServer } from './fake-chat-server.js';
import { proposing } from './proposals.js';

/** A server for the tests of a file, and extractors that use it. */
export function useChatServer() {
  const server = new FakeChatServer();
  /** Reasons of refusals since the test began; at most ten per call. */
  const refused: string[] = [];
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.reset();
    refused.length = 0;
  });

  function create(more: Partial<LlmExtractorOptions> = {}) {
    return createLlmExtractor({
      baseUrl: server.baseUrl,
      model: 'test-model',
      onRefused: (reason, count) => refused.push(...new Array<string>(Math.min(count, 10)).fill(reason)),
      ...more,
      retry: { baseDelayMs: 1, maxDelayMs: 50, ...more.retry },
    });
  }

  async function factsFor(
    lines: readonly string[],
    facts: FactProposal[],
    known: KnownFact[] = [],
  ): Promise<ProposedFact[]> {
    server.interceptNext(proposing(facts));
    return (await create().extract({ messages: toMessages(lines), known })).facts;
  }

  async function digestFor(lines: readonly string[], digest: Answer['digest']): Promise<ConversationDigest | null> {
    server.interceptNext(proposing([], digest));
    return (await create().extract({ messages: toMessages(lines) })).digest;
  }

  return { server, refused, create, factsFor, digestFor };
}
