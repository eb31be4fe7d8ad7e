import { readFileSync } from 'node:fs';
import { optionalLabels, redact, scanText } from '@memhall/core';
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

it.for(['seen', 'unseen'] as const)('the redactor is tried on the %s half of its corpus', (half, context) => {
  const [secrets, ordinary] = [readTexts(half, 'secrets'), readTexts(half, 'ordinary')];
  expect(Math.min(secrets.length, ordinary.length)).toBeGreaterThan(20);
  const isChanged = (text: string) => redact(text, optionalLabels).text !== text;
  report(context, `redactor, ${half}`, {
    [`redacted, of ${secrets.length}`]: secrets.filter(isChanged).length,
    [`false alarms, of ${ordinary.length}`]: ordinary.filter(isChanged).length,
  });
});

function readTexts(half: string, kind: 'ordinary' | 'secrets'): string[] {
  const file = new URL(`../../../core/test-data/redactor/${half}/${kind}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
