import { scanText } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { type CorpusText, readCorpus } from '../test-data/scanner/read-corpus.mjs';

const refusedAtMost = 0.002;

function nameOf({ group, line }: CorpusText): string {
  return `${group}.txt:${line}`;
}

describe('the texts the rules were written against', () => {
  const hostile = readCorpus('main', 'hostile');
  const ordinary = readCorpus('main', 'ordinary');

  it('are many, and none twice', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(200);
    expect(ordinary.length).toBeGreaterThanOrEqual(1000);
    const texts = [...hostile, ...ordinary].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('are refused under their category when hostile', () => {
    const wrong = hostile.filter(({ group, text }) => scanText(text)?.category !== group);
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it('pass when ordinary, all but two in a thousand', () => {
    const refused = ordinary.filter(({ text }) => scanText(text) !== undefined);
    expect(refused.length / ordinary.length, refused.map(nameOf).join(', ')).toBeLessThanOrEqual(refusedAtMost);
  });

  it('pass together when they pass alone', () => {
    const passing = ordinary.map(({ text }) => text).filter((text) => scanText(text) === undefined);
    expect(scanText(passing.join('\n\n'))).toBeUndefined();
    expect(scanText(passing.toReversed().join('\n\n'))).toBeUndefined();
  });

  it('are refused between ordinary ones as they are alone', () => {
    const passing = ordinary.map(({ text }) => text).filter((text) => scanText(text) === undefined);
    const lost = hostile.filter(({ text }, index) => {
      const before = passing[(index * 7) % passing.length];
      const after = passing[(index * 13 + 5) % passing.length];
      return scanText(`${before}\n\n${text}\n\n${after}`) === undefined;
    });
    expect(lost.map(nameOf)).toEqual([]);
  });
});

describe('the texts held out', () => {
  const hostile = readCorpus('held-out', 'hostile');
  const ordinary = readCorpus('held-out', 'ordinary');

  it('are many, and none is among the others', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    expect(ordinary.length).toBeGreaterThanOrEqual(300);
    const others = new Set(
      [...readCorpus('main', 'hostile'), ...readCorpus('main', 'ordinary')].map(({ text }) => text),
    );
    expect([...hostile, ...ordinary].filter(({ text }) => others.has(text)).map(nameOf)).toEqual([]);
  });

  it('come out nearly as well', () => {
    expect(hostile.filter(({ text }) => scanText(text) === undefined).length / hostile.length).toBeLessThanOrEqual(
      0.05,
    );
    expect(ordinary.filter(({ text }) => scanText(text) !== undefined).length / ordinary.length).toBeLessThanOrEqual(
      0.01,
    );
  });
});
