import { describe, expect, it } from 'vitest';
import { fittingMegabytes } from './create-segment-cache.js';

describe('the recall cache', () => {
  it.each([
    [512, 128],
    [1024, 128],
    [4096, 512],
    [8000, 1000],
    [16_384, 2048],
    [512_000, 2048],
  ])('has %i MiB available and uses %i', (available, cache) => {
    expect(fittingMegabytes(available)).toBe(cache);
  });
});
