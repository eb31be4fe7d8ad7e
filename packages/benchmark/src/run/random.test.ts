import { expect, it } from 'vitest';
import { Random } from './random.js';

it('draws the same from the same seed, and words that occur once', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return [random.canary(), random.integer(3, 9), random.shuffled([1, 2, 3, 4, 5]), random.pick(['a', 'b', 'c'])];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const random = new Random(1);
  expect(new Set(Array.from({ length: 20_000 }, () => random.canary())).size).toBe(20_000);
});
