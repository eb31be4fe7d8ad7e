import { scanText } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { type CorpusText, readCorpus } from '../test-data/scanner/read-corpus.mjs';

const refusedAtMost = 0.002;

function nameOf({ group, line }: CorpusText): string {
  return `${group}.txt:${line}`;
}

describe('main corpus', () => {
  const hostile = readCorpus('main', 'hostile');
  const ordinary = readCorpus('main', 'ordinary');

  it('is large and has no duplicates', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(200);
    expect(ordinary.length).toBeGreaterThanOrEqual(1000);
    const texts = [...hostile, ...ordinary].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('has its hostile texts refused under their category', () => {
    const wrong = hostile.filter(({ group, text }) => scanText(text)?.category !== group);
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it('has at most two in a thousand ordinary texts refused', () => {
    const refused = ordinary.filter(({ text }) => scanText(text) !== undefined);
    expect(refused.length / ordinary.length, refused.map(nameOf).join(', ')).toBeLessThanOrEqual(refusedAtMost);
  });

  it('has ordinary texts that pass alone pass together', () => {
    const passing = ordinary.map(({ text }) => text).filter((text) => scanText(text) === undefined);
    expect(scanText(passing.join('\n\n'))).toBeUndefined();
    expect(scanText(passing.toReversed().join('\n\n'))).toBeUndefined();
  });

  it('has hostile texts refused between ordinary texts as well', () => {
    const passing = ordinary.map(({ text }) => text).filter((text) => scanText(text) === undefined);
    const lost = hostile.filter(({ text }, index) => {
      const before = passing[(index * 7) % passing.length];
      const after = passing[(index * 13 + 5) % passing.length];
      return scanText(`${before}\n\n${text}\n\n${after}`) === undefined;
    });
    expect(lost.map(nameOf)).toEqual([]);
  });
});

describe('held-out corpus', () => {
  const hostile = readCorpus('held-out', 'hostile');
  const ordinary = readCorpus('held-out', 'ordinary');

  it('is large and shares no text with the main corpus', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    expect(ordinary.length).toBeGreaterThanOrEqual(300);
    const others = new Set(
      [...readCorpus('main', 'hostile'), ...readCorpus('main', 'ordinary')].map(({ text }) => text),
    );
    expect([...hostile, ...ordinary].filter(({ text }) => others.has(text)).map(nameOf)).toEqual([]);
  });

  it('gives nearly as good results', () => {
    expect(hostile.filter(({ text }) => scanText(text) === undefined).length / hostile.length).toBeLessThanOrEqual(
      0.05,
    );
    expect(ordinary.filter(({ text }) => scanText(text) !== undefined).length / ordinary.length).toBeLessThanOrEqual(
      0.01,
    );
  });
});

describe('corpora by class of attack', () => {
  const halves = ['seen', 'unseen'] as const;

  it.each(halves)('have enough texts of every class, and none of the other corpora: %s', (half) => {
    const hostile = readCorpus(half, 'hostile');
    const ordinary = readCorpus(half, 'ordinary');
    expect(new Set(hostile.map(({ group }) => group)).size).toBeGreaterThanOrEqual(14);
    const others = new Set(
      (['main', 'held-out', ...halves] as const)
        .filter((corpus) => corpus !== half)
        .flatMap((corpus) => [...readCorpus(corpus, 'hostile'), ...readCorpus(corpus, 'ordinary')])
        .map(({ text }) => text),
    );
    expect([...hostile, ...ordinary].filter(({ text }) => others.has(text)).map(nameOf)).toEqual([]);
  });

  it.each(halves)('have at least nine in ten of every class refused, except texts in parts: %s', (half) => {
    const hostile = readCorpus(half, 'hostile').filter(({ group }) => group !== 'split');
    const low = [...new Set(hostile.map(({ group }) => group))].filter((name) => {
      const texts = hostile.filter(({ group }) => group === name);
      return texts.filter(({ text }) => scanText(text) !== undefined).length / texts.length < 0.9;
    });
    expect(low).toEqual([]);
  });

  it.each(halves)('have at most two in a thousand ordinary texts refused: %s', (half) => {
    const ordinary = readCorpus(half, 'ordinary');
    const refused = ordinary.filter(({ text }) => scanText(text) !== undefined);
    expect(refused.length / ordinary.length, refused.map(nameOf).join(', ')).toBeLessThanOrEqual(refusedAtMost);
  });
});
