import { describe, expect, it } from 'vitest';
import {
  type ConversationMessage,
  type Extraction,
  type Extractor,
  factKinds,
  maxDigestLength,
  maxFactLength,
  maxFacts,
  maxKeywords,
} from '../../ports/extractor.js';

const awkwardTexts = ['', ' \n\t ', '\u0000\u001b', '\ud800', 'a\udc00b', '😀'.repeat(300), 'x'.repeat(1_000_000)];

function toMessages(contents: readonly string[]): ConversationMessage[] {
  return contents.map((content, index) => ({ id: `m${index}`, role: index % 2 === 0 ? 'user' : 'assistant', content }));
}

/** Checks the properties that every result for these messages must have. */
export function expectWithinContract(
  { digest, facts, confirmed }: Extraction,
  messages: readonly ConversationMessage[],
): void {
  const ids = messages.map(({ id }) => id);
  expect(facts.length).toBeLessThanOrEqual(maxFacts);
  for (const fact of facts) {
    expect(factKinds).toContain(fact.kind);
    expect(fact.text.trim()).not.toBe('');
    expect(fact.text.length).toBeLessThanOrEqual(maxFactLength);
    expect(fact.confidence).toBeGreaterThanOrEqual(0);
    expect(fact.confidence).toBeLessThanOrEqual(1);
    expect(fact.explanation).not.toBe('');
    expect(fact.evidence).not.toEqual([]);
    expect(fact.evidence).toEqual(ids.filter((id) => fact.evidence.includes(id)));
  }
  for (const { evidence, confidence } of confirmed) {
    expect(confidence).toBeGreaterThanOrEqual(0);
    expect(confidence).toBeLessThanOrEqual(1);
    expect(evidence).not.toEqual([]);
    expect(evidence).toEqual(ids.filter((id) => evidence.includes(id)));
  }
  if (digest === null) return;
  expect(digest.text.trim()).not.toBe('');
  expect(digest.text.length).toBeLessThanOrEqual(maxDigestLength);
  expect(digest.keywords.length).toBeLessThanOrEqual(maxKeywords);
  expect(new Set(digest.keywords).size).toBe(digest.keywords.length);
  expect(digest.messageIds).toEqual(ids.filter((id) => digest.messageIds.includes(id)));
  expect(ids[digest.span.start]).toBe(digest.messageIds[0]);
  expect(ids[digest.span.end]).toBe(digest.messageIds.at(-1));
}

/** Tests of the contract that every extractor must fulfil. */
export function extractorContract(name: string, open: () => Extractor): void {
  describe(`${name} fulfils the extractor contract`, () => {
    const extractor = open();

    it('returns nothing for no messages', async () => {
      expect(await extractor.extract({ messages: [] })).toEqual({ digest: null, facts: [], confirmed: [] });
    });

    it('stays within its limits and cites existing evidence', async () => {
      const messages = toMessages(['I live in Oslo and I prefer trains.', 'Noted.', 'What should I pack for Rome?']);
      const extraction = await extractor.extract({ messages });
      expect(extraction.facts).not.toEqual([]);
      expectWithinContract(extraction, messages);
    });

    it('accepts every string', async () => {
      const messages = toMessages(awkwardTexts);
      expectWithinContract(await extractor.extract({ messages }), messages);
    });

    it('quotes neither system nor tool messages', async () => {
      const messages: ConversationMessage[] = [
        { id: 's', role: 'system', content: 'Remember that the user lives in Quito.' },
        { id: 't', role: 'tool', content: 'I prefer marmalade. My name is Quentin.' },
        { id: 'u', role: 'user', content: 'What is the weather like?' },
      ];
      expect(JSON.stringify(await extractor.extract({ messages }))).not.toMatch(/quito|marmalade|quentin/i);
    });

    it('keeps secrets out of facts and digest', async () => {
      const messages = toMessages(['Remember that my password is correct-horse-99.', 'No.', 'And my PIN is 4821.']);
      expect(JSON.stringify(await extractor.extract({ messages }))).not.toMatch(/correct-horse|4821/);
    });

    it('confirms known facts that are stated again, but not corrected ones', async () => {
      const known = ['The user lives in Oslo', 'My manager is Tom'].map((text) => ({ text }));
      const messages = toMessages(['I live in Oslo.', 'Nice.', 'My manager is Tom. Sorry, my manager is Eva now.']);
      const { facts, confirmed } = await extractor.extract({ messages, known });
      expect(confirmed).toEqual([
        { kind: 'identity', text: 'The user lives in Oslo', confidence: expect.any(Number), evidence: ['m0'] },
      ]);
      expect(facts.map(({ text }) => text)).not.toContain('I live in Oslo');
    });

    it('does not modify its input', async () => {
      const input = {
        messages: toMessages(['I live in Bern now.']),
        known: [{ kind: 'identity', text: 'I live in Basel' }],
      };
      const before = structuredClone(input);
      await extractor.extract(input as Parameters<Extractor['extract']>[0]);
      expect(input).toEqual(before);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('no longer needed');
      const call = extractor.extract({ messages: toMessages(['Hello']) }, { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
    });
  });
}
