import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { toUnit } from '../memories/embed-contents.js';
import { markedVector } from './marked-vector.js';

const cosine = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);

it('keeps the direction of a vector and makes it differ for each id', () => {
  const vector = toUnit(Float32Array.from({ length: 384 }, (_, at) => Math.sin(at * at)));
  const ids = Array.from({ length: 300 }, () => randomUUID());
  const marked = ids.map((id) => markedVector(vector, id));
  for (const [at, one] of marked.entries()) {
    expect(cosine(one, [...vector])).toBeGreaterThan(0.9997);
    expect(markedVector(vector, ids[at] as string)).toEqual(one);
    const others = marked.filter((other) => other !== one).map((other) => cosine(one, other));
    expect(cosine(one, one) - Math.max(...others)).toBeGreaterThan(1e-4);
  }
});
