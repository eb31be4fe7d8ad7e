import { scanText } from '@memhall/core';
import { expect, it } from 'vitest';
import { readCorpus } from '../../../core/test-data/scanner/read-corpus.mjs';
import { report } from '../support/attack-report.js';

// packages/core tests what the rates must be. Here they are shown by class.
it.for(['seen', 'unseen'] as const)('the scanner is tried on the %s half of its corpora', (half, context) => {
  const hostile = readCorpus(half, 'hostile');
  const rates: Record<string, number> = {};
  for (const name of new Set(hostile.map(({ group }) => group))) {
    const texts = hostile.filter(({ group }) => group === name);
    const caught = texts.filter(({ text }) => scanText(text) !== undefined);
    rates[`${name}: caught, % of ${texts.length}`] = Math.round((100 * caught.length) / texts.length);
  }
  expect(Object.keys(rates).length).toBeGreaterThan(5);
  const ordinary = readCorpus(half, 'ordinary');
  const refused = ordinary.filter(({ text }) => scanText(text) !== undefined);
  report(context, `scanner, ${half}`, { ...rates, [`false alarms, of ${ordinary.length}`]: refused.length });
});
