import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHalf, readHalves, toHalfvec } from './half-precision.js';

function roundTrip(values: readonly number[]): number[] {
  return [...readHalves(toHalfvec(Float32Array.from(values)).subarray(4))];
}

describe('half precision', () => {
  it('encodes known values', () => {
    expect([0, 1, -2, 65504, 2 ** -14, 2 ** -24, 1e6].map(encodeHalf)).toEqual([
      0, 0x3c00, 0xc000, 0x7bff, 0x0400, 1, 0x7c00,
    ]);
  });

  it('keeps values that a half can represent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7bff }), fc.boolean(), (half, negative) => {
        const [back = 0] = readHalves(Buffer.from([(half >> 8) | (negative ? 0x80 : 0), half & 0xff]));
        expect(encodeHalf(back)).toBe(half | (negative ? 0x8000 : 0));
      }),
    );
  });

  it('rounds to the nearest', () => {
    fc.assert(
      fc.property(fc.float({ min: -1, max: 1, noNaN: true }), (value) => {
        const [back = 0] = roundTrip([value]);
        expect(Math.abs(back - value)).toBeLessThanOrEqual(Math.max(Math.abs(value) * 2 ** -11, 2 ** -25));
      }),
    );
  });
});
