import { describe, expect, it } from 'vitest';
import type { Memory } from '../../ports/memories.js';
import type { Trust } from '../../ports/memory-origin.js';
import { PieceOrigins } from './piece-origins.js';

const piece = (content: string, trust: Trust) => ({ content, trust, author: trust }) as Memory;

describe('the origin of a piece of a changed text', () => {
  const origins = new PieceOrigins([
    piece('one\ntwo', 'operator'),
    piece('two\nthree', 'user'),
    piece('three\n \nfour', 'external'),
  ]);

  it('stays the same if it only moved', () => {
    expect(origins.of('two\nthree').derivedFrom).toMatchObject({ author: 'user', trust: 'user' });
  });

  it('has the lowest trust of all pieces that it has lines of', () => {
    expect(origins.of('three')).toEqual({ trust: 'external' });
    expect(origins.of('new\nfour\none')).toEqual({ trust: 'external' });
    // The first one of equal levels.
    expect(origins.of('new\ntwo')).toEqual({ trust: 'operator' });
  });

  it('is the writer alone if it has no line of before', () => {
    expect(origins.of('new\n \n')).toEqual({});
  });
});
