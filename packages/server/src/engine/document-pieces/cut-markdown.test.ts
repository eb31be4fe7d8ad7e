import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdown } from './cut-markdown.js';

describe('a text in Markdown', () => {
  it('is cut into paragraphs, list items and code, under their headings', () => {
    const text = [
      'Before any heading.',
      '# Garden #',
      'Two lines of',
      'one paragraph.',
      '## Tools',
      '- spade',
      '  with a red handle',
      '1. rake',
      '',
      '```sh',
      '# not a heading',
      '',
      'water --all',
      '```',
      '### Deep',
      'a',
      '# House',
      'b',
    ].join('\n');
    expect(cutMarkdown(text)).toEqual([
      { headings: '', text: 'Before any heading.' },
      { headings: 'Garden', text: 'Two lines of\none paragraph.' },
      { headings: 'Garden\nTools', text: 'spade\nwith a red handle' },
      { headings: 'Garden\nTools', text: 'rake' },
      { headings: 'Garden\nTools', text: '```sh\n# not a heading\n\nwater --all\n```' },
      { headings: 'Garden\nTools\nDeep', text: 'a' },
      { headings: 'House', text: 'b' },
    ]);
  });

  it('loses no word, wherever it is cut', () => {
    const lines = fc.constantFrom('', '# top', '### deep', '- item one', '  goes on', 'plain words', '```', '2) two');
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 20 }), (all) => {
        const words = (text: string) => new Set(text.match(/[a-z]+/g));
        const blocks = cutMarkdown(all.join('\n'));
        const headings = all.filter((line) => line.startsWith('#')).join('\n');
        const kept = words([headings, ...blocks.map(({ text }) => text)].join('\n'));
        expect(kept).toEqual(words(all.join('\n')));
      }),
    );
  });
});
