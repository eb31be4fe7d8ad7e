import { expect, it } from 'vitest';
import { inOrderOf } from './document-then.js';

const order = (value: object, like: object) => JSON.stringify(inOrderOf(value as never, like as never));

it('has the members in the order of another document, and those that it lacks behind', () => {
  expect(order({ a: 1, b: { c: 1, d: 2 }, e: 3 }, { e: 0, b: { d: 0, c: 0 } })).toBe('{"e":3,"b":{"d":2,"c":1},"a":1}');
});

it('has elements of lists in their own order, each like its counterpart or the first', () => {
  expect(
    order(
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
      [{ b: 0, a: 0 }],
    ),
  ).toBe('[{"b":2,"a":1},{"b":4,"a":3}]');
  expect(order([{ a: 1 }, 'x', null], ['y', { a: 2 }])).toBe('[{"a":1},"x",null]');
});

it('keeps what is inherited elsewhere, and values of another kind', () => {
  expect(order({ a: { c: 1 }, constructor: 2, x: null }, { a: [1] })).toBe('{"a":{"c":1},"constructor":2,"x":null}');
});
