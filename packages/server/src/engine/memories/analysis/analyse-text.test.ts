import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseText, singleCharacters } from './analyse-text.js';
import { type Language, languages } from './language.js';
import { entryCount, hashTerm, packTerms, unpackTerms } from './packed-terms.js';
import { searchText, toTextForm } from './to-search-form.js';
import { speakerOf, trait, traitsOf } from './traits.js';

describe('analyseText', () => {
  it.each([
    ["Caroline's dogs weren't barking", ['carolin', 'dog', 'bark']],
    ['I went, she bought, the children ran', ['go', 'buy', 'child', 'run']],
    ['e-mail INV-20391 at 9:30', ['e', 'mail', 'inv', '20391', '9', '30']],
    ['The of and to', []],
    ['ﬁne Ｆｕｌｌ ①', ['fine', 'full', '1']],
    ['東京タワー', ['東京', 'タワ', 'ワー']],
    ['字', ['字']],
    ['あ', ['あ']],
    ['猫が好き', ['猫', '好']],
    ['我买了iPhone手机', ['我买', '买了', 'iphon', '手机']],
    ['2023年5月', ['2023', '年', '5', '月']],
    ['서울에서 커피를', ['서울', '울에', '에서', '커피', '피를']],
    ['infor\u00admation pass\u200bword', ['inform', 'password']],
    ['İstanbul', ['istanbul']],
    ['كِتَاب', ['كتاب']],
    ['', []],
  ])('%s', (text, terms) => {
    expect(analyseText(text, 'english')).toEqual(terms);
  });

  it.each<[Language, string, string]>([
    ['french', "à l'école d'Annie", 'à école annie'],
    ['italian', "dell'acqua", 'dell acqua'],
    ['turkish', "Ankara'da IŞIK", 'ankara da ışık'],
    ['russian', 'Ёлка', 'елка'],
    ['simple', "l'eau", 'eau'],
    ['german', 'STRASSE', 'Straße'],
  ])('%s: %s is %s', (language, text, same) => {
    expect(analyseText(text, language)).toEqual(analyseText(same, language));
  });

  it('finds words by a single character in them', () => {
    expect(singleCharacters('我喝茶，집에서 tea、茶')).toEqual(['我', '喝', '茶', '집', '에', '서']);
  });

  it('accepts any text in any language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...languages), (text, language) => {
        for (const term of analyseText(text, language)) expect(term.length).toBeLessThanOrEqual(128);
      }),
      { numRuns: 300 },
    );
  });

  it('takes time proportional to the length of the text', () => {
    const hostile = [
      "a'".repeat(100_000),
      'x'.repeat(200_000),
      '字'.repeat(200_000),
      '字x'.repeat(100_000),
      "'".repeat(200_000),
    ];
    for (const text of hostile) expect(() => analyseText(text, 'english')).not.toThrow();
  });
});

describe('packed terms', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 60 }), (terms) => {
        const packed = packTerms(terms, []);
        const columns = { hashes: new Uint32Array(60), counts: new Uint8Array(60) };
        unpackTerms(packed, columns, 0);
        const end = entryCount(packed.length);
        const counts = new Map<number, number>();
        for (const term of terms) counts.set(hashTerm(term), (counts.get(hashTerm(term)) ?? 0) + 1);
        expect(new Map([...columns.hashes.slice(0, end)].map((hash, index) => [hash, columns.counts[index]]))).toEqual(
          counts,
        );
      }),
    );
  });

  it('do not share hashes among common words', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index.toString(36)}`);
    expect(new Set(words.map(hashTerm)).size).toBe(words.length);
  });
});

describe('traits', () => {
  it.each([
    ['Where are you?', trait.asks | trait.endsAsking],
    ['Where are you? Tell me.', trait.asks],
    ['See you last Friday', trait.timed],
    ['Fine.', 0],
  ])('%s', (text, traits) => {
    expect(traitsOf(text)).toBe(traits);
  });

  it.each([
    ['Anna: hello', 'Anna'],
    ['Anna: hello\nBruno: hi', undefined],
    ['no label here', undefined],
    ['https://example.org', undefined],
  ])('the speaker of %j', (text, speaker) => {
    expect(speakerOf(text)).toBe(speaker);
  });

  it.each([
    ['assistant: You bake.', null, 'You bake.', true],
    ['User: I bake.', null, 'I bake.', false],
    ['assistant: You bake.\nuser: I do.', null, 'You bake.\nuser: I do.', false],
    ['Model: T-800', null, 'Model: T-800', false],
    ['assistant:', null, 'assistant:', false],
    ['You bake.', 'assistant', 'You bake.', true],
    ['I bake.', 'user', 'I bake.', false],
  ])('the role of %j, stored as %s', (content, role, text, byAssistant) => {
    expect(searchText({ content, cue: null })).toBe(text);
    const { traits } = toTextForm({ content, cue: null, role }, 'english');
    expect((traits & trait.byAssistant) !== 0).toBe(byAssistant);
  });
});
