import { expect, it } from 'vitest';
import { randomNumbers } from '../speed/sentences.mjs';
import { mix, pickOperation } from './mix.mjs';
import { Zipf } from './zipf.mjs';

function share(count: number, exponent: number, place: number): number {
  const zipf = new Zipf(count, exponent);
  const random = randomNumbers(1);
  let found = 0;
  for (let tries = 0; tries < 100_000; tries++) if (zipf.pick(random()) === place) found++;
  return found / 100_000;
}

it('gives the second tenant half as much as the first, and the tenth a tenth', () => {
  const first = share(100, 1, 0);
  expect(first).toBeCloseTo(1 / 5.187, 2);
  expect(share(100, 1, 1) / first).toBeCloseTo(1 / 2, 1);
  expect(share(100, 1, 9) / first).toBeCloseTo(1 / 10, 1);
});

it('gives all the same with exponent 0, and reaches the first and the last', () => {
  expect(share(4, 0, 3)).toBeCloseTo(0.25, 2);
  const zipf = new Zipf(10_000, 1);
  expect([zipf.pick(0), zipf.pick(1 - 2 ** -53)]).toEqual([0, 9999]);
});

it('mixes the operations as it says', () => {
  const shares = Object.values(mix).map((operation) => operation.share);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
  expect([pickOperation(0), pickOperation(0.699), pickOperation(0.701), pickOperation(0.9999)]).toEqual([
    ...['recall', 'recall', 'add', 'list'],
  ]);
});
