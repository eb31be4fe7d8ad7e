import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from './chunk-text.js';

const sentence = 'The walrus sleeps on the ice and dreams of herring. ';
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

describe('chunkText', () => {
  it('cuts at headings and lists the headings above each chunk', () => {
    const long = sentence.repeat(6).trim();
    const chunks = chunkText(`# Animals\n\n## Walrus\n${long}\n\n## Heron\n${long}\n\n# Plants\n${long}`, 'paragraphs');
    expect(chunks.map(({ headings }) => headings)).toEqual([['Animals'], ['Animals', 'Heron'], ['Plants']]);
    expect(chunks[1]?.text).toBe(`## Heron\n\n${long}`);
  });

  it('keeps short sections together', () => {
    expect(chunkText('# A\none\n# B\ntwo\n# C\nthree', 'paragraphs')).toHaveLength(1);
  });

  it('cuts a long paragraph at its sentences', () => {
    const chunks = chunkText(sentence.repeat(100), 'paragraphs');
    for (const { text } of chunks) expect(text).toMatch(/\.$/);
  });

  it('gives every row of a table the names of its columns', () => {
    const rows = Array.from({ length: 100 }, (_, index) => `${index},walrus number ${index}`);
    const chunks = chunkText(['id,name', ...rows].join('\n'), 'rows');
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ headings }) => headings[0] === 'id,name')).toBe(true);
    expect(chunks.flatMap(({ text }) => text.split('\n'))).toEqual(rows);
    expect(chunkText('only,names', 'rows')).toEqual([{ text: 'only,names', headings: [] }]);
  });

  it('loses no words and produces no chunk that is too long', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constant(''),
      fc.constant('## Heading'),
      fc.constant(sentence.repeat(30)),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('paragraphs' as const, 'rows' as const), (lines, layout) => {
        const text = lines.join('\n');
        const chunks = chunkText(text, layout);
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(1002);
        const kept = chunks.flatMap((chunk) => words(chunk.text)).join('');
        const all = words(text).join('');
        if (layout === 'paragraphs') expect(kept).toBe(all);
        else expect(all.endsWith(kept)).toBe(true);
      }),
    );
  });

  it('takes time in proportion to the length of the text', () => {
    for (const text of [' \n'.repeat(500_000), '#'.repeat(1_000_000), `${' '.repeat(1_000_000)}x`]) {
      expect(chunkText(text, 'paragraphs').length).toBeLessThan(2000);
    }
  });
});
