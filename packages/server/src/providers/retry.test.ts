import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry.js';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['2', 2000],
    ['0.5', 500],
    ['-3', 0],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('%s means %s ms', (header, expected) => {
    expect(parseRetryAfterMs(header, NOW_MS)).toBe(expected);
  });
});
