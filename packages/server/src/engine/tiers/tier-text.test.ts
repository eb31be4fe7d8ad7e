import { applyPatch } from '@memhall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opsBetween, toLines, toText } from '../text-lines.js';
import { cutTier } from './tier-pieces.js';
import { appendText } from './tier-text.js';

const texts = fc
  .array(fc.oneof(fc.constantFrom('', ' ', '# Heading', '- plums', '[BLOCKED: x]'), fc.string({ maxLength: 60 })), {
    maxLength: 30,
  })
  .map((lines) => lines.join('\n'));

describe('the text of a tier', () => {
  it('is unchanged after being stored as lines', () => {
    fc.assert(fc.property(texts, (text) => toText({ lines: toLines(text) }) === text));
  });

  it('results from applying the operations in the history', () => {
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (before, other, appends) => {
        const after = appends ? appendText(before, other) : other;
        const document = { content: { lines: toLines(before) } };
        const patched = applyPatch(document, opsBetween(toLines(before), toLines(after)));
        expect(patched).toEqual({ content: { lines: toLines(after) } });
      }),
    );
  });

  it('has a short history when lines are appended', () => {
    const lines = Array.from({ length: 500 }, (_, number) => `line ${number}`);
    const end = { op: 'add', path: '/content/lines/-', value: 'more' };
    expect(opsBetween(lines, [...lines, 'more'])).toEqual([end]);
    expect(opsBetween([...lines, ''], [...lines, 'more'])).toEqual([{ op: 'remove', path: '/content/lines/500' }, end]);
  });

  it('is appended to on a new line', () => {
    expect(['', 'a', 'a\n', 'a\n\n'].map((text) => appendText(text, 'b'))).toEqual(['b', 'a\nb', 'a\nb', 'a\n\nb']);
  });
});

describe('pieces of a text', () => {
  it('are short and start at the line they report', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 10, max: 80 }), (text, longest) => {
        const lines = text.split('\n');
        for (const piece of cutTier(text, longest)) {
          expect(piece.text.length).toBeLessThanOrEqual(longest);
          const [first = ''] = piece.text.split('\n');
          expect(lines[piece.line - 1]).toContain(first);
        }
      }),
    );
  });

  it('leave out only placeholders and blanks', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const squeeze = (all: string) => all.replaceAll(/\s/gu, '');
        const shown = text.split('\n').filter((line) => !line.startsWith('[BLOCKED:'));
        expect(
          squeeze(
            cutTier(text, 40)
              .map((piece) => piece.text)
              .join(''),
          ),
        ).toBe(squeeze(shown.join('')));
      }),
    );
  });

  it('stay the same except for the last one when text is appended', () => {
    fc.assert(
      fc.property(texts, texts, (text, added) => {
        const before = cutTier(text, 40);
        expect(cutTier(appendText(text, added), 40).slice(0, Math.max(0, before.length - 1))).toEqual(
          before.slice(0, -1),
        );
      }),
    );
  });
});
