import { describe, expect, it } from 'vitest';
import { WordCoverage } from './word-coverage.js';

describe('the words of a query that rows have', () => {
  it('count with their share of the whole query, each once', () => {
    const coverage = new WordCoverage(2, [3, 1, 4]);
    coverage.note(0, 0);
    coverage.note(0, 0);
    coverage.note(1, 1);
    expect(coverage.share(coverage.of(0))).toBeCloseTo(3 / 8);
    expect(coverage.share(coverage.of(0) | coverage.of(1))).toBeCloseTo(1 / 2);
    expect(coverage.share(coverage.of(1) & ~coverage.of(0))).toBeCloseTo(1 / 8);
    expect(coverage.share(0)).toBe(0);
  });

  it('do not include terms that are not words', () => {
    const coverage = new WordCoverage(1, [0, 2]);
    coverage.note(0, 0);
    expect(coverage.of(0)).toBe(0);
  });

  it('are the rarest ones if a query has more words than bits', () => {
    const worth = Array.from({ length: 100 }, (_, place) => place + 1);
    const coverage = new WordCoverage(1, worth);
    for (const place of worth.keys()) coverage.note(0, place);
    const rarest = worth.slice(-32).reduce((sum, one) => sum + one, 0);
    expect(coverage.share(coverage.of(0))).toBeCloseTo(rarest / 5050);
  });

  it('are none for a query without words', () => {
    expect(new WordCoverage(1, []).share(-1)).toBe(0);
  });
});
