import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownFact } from '../../../ports/extractor.js';
import { expectWithinContract } from '../extractor-contract.js';
import { createRulesExtractor } from './rules-extractor.js';
import { toMessages } from './test-support/to-messages.js';

const extractor = createRulesExtractor();

const fragments = [
  'I prefer',
  'I live in',
  "I'm a",
  'my name is',
  'remember that',
  "don't forget",
  'please always',
  'use',
  'not',
  'but',
  'and',
  'we decided to',
  'sorry, I meant',
  "actually, it's",
  'my wife',
  'until Friday',
  'tomorrow',
  'no longer',
  'forget that',
  'when I travel,',
  'instead of',
  'Oslo',
  'Bern',
  'tea',
  'nurse',
  'Ana',
  'answer in French',
  'Ich wohne in',
  'ich heiße',
  'merk dir, dass',
  'meine Frau',
  'wenn ich reise,',
  'bis Freitag',
  'am 3. März',
  "j'habite à",
  'je préfère',
  "n'oublie pas que",
  "jusqu'à vendredi",
  'vivo en',
  'me gusta',
  'recuerda que',
  'hasta el viernes',
  '¿',
  'Łukasz',
  '.',
  '?',
  ',',
  ':',
  '\n',
  '"',
  '```',
  '- ',
  '’',
  'ß',
  'İ',
  '😀',
  '成都',
];
const sentences = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 24 })
  .map((parts) => parts.join(' '));
const conversations = fc.array(
  fc.tuple(fc.constantFrom('', '', '', 'A: '), sentences).map(([who, text]) => who + text),
  { maxLength: 6 },
);

function wordsIn(text: string): string[] {
  return (
    text
      .toWellFormed()
      .toLowerCase()
      .replace(/[’ʼ´]/g, "'")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

describe('for any conversation', () => {
  it('every stored word was said or known, and the result fulfils the contract', async () => {
    const known: KnownFact[] = [{ kind: 'identity', text: 'I live in Oslo' }];
    await fc.assert(
      fc.asyncProperty(conversations, async (lines) => {
        const messages = toMessages(lines);
        const extraction = await extractor.extract({ messages, known });
        expectWithinContract(extraction, messages);
        const said = new Set(
          [...messages.map(({ content }) => content), ...known.map(({ text }) => text)].flatMap(wordsIn),
        );
        const stored = [...extraction.facts.map(({ text }) => text), extraction.digest?.text ?? ''].flatMap(wordsIn);
        expect(stored.filter((word) => !said.has(word))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('the result is the same every time', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (lines) => {
        const messages = toMessages(lines);
        expect(await createRulesExtractor().extract({ messages })).toEqual(await extractor.extract({ messages }));
      }),
      { numRuns: 50 },
    );
  });
});

describe('hostile messages', () => {
  const megabyte = 1_000_000;

  it.each([
    'I prefer ',
    'I live in ',
    'remember that ',
    'please always ',
    'my sister ',
    'not X but Y, ',
    'so so so ',
    'he said ',
    '"',
    "'a",
    '`',
    '<a',
    'a.',
    '. ',
    'I’m \n',
    'sorry, I meant Bern. ',
    'when I, ',
    'in the meeting ',
    '\n\n> ',
    '1 1',
    'a1_',
    ', and I ',
    'Mr. ',
    '😀',
    'İ',
    'ich wohne in ',
    'merk dir, dass ich ',
    'Ende ',
    'wenn ich, ',
    "j'habite à ",
    "s'il te plaît, ",
    "jusqu'à ",
    'vivo en ',
    'por favor, ',
    '¿¿ ',
    '3. ',
    '„',
  ])('a megabyte of %j gives nothing to remember', async (piece) => {
    const messages = toMessages([piece.repeat(Math.ceil(megabyte / piece.length))]);
    const extraction = await extractor.extract({ messages });
    expect(extraction.facts).toEqual([]);
    expectWithinContract(extraction, messages);
  });

  it('blank lines are read once each', async () => {
    const messages = toMessages(Array.from({ length: 400 }, () => '\n'.repeat(20_000)));
    expect((await extractor.extract({ messages })).facts).toEqual([]);
  });

  it('a flood of facts is cut off', async () => {
    const messages = toMessages(Array.from({ length: 3000 }, (_, index) => `I like cheese number ${index}.`));
    const extraction = await extractor.extract({ messages });
    expect(extraction.facts).toHaveLength(50);
    expectWithinContract(extraction, messages);
  });

  it('only the text before and after a pasted document is read', async () => {
    const document = Array.from({ length: 300 }, (_, index) => `I like cheese number ${index}.`).join('\n\n');
    const messages = toMessages([`I live in Bern.\n\n${document}\n\nBy the way, I hate noise.`]);
    const { facts } = await extractor.extract({ messages });
    expect(facts.map(({ text }) => text)).toEqual(['I live in Bern', 'I hate noise']);
  });

  it('an abort is noticed between messages', async () => {
    const controller = new AbortController();
    const messages = toMessages(Array.from({ length: 100 }, () => 'I went home. '.repeat(1500)));
    const call = extractor.extract({ messages }, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
  });
});
