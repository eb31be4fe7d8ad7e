import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, patchFor } from '../test/support/arbitrary-patch.js';
import { applyPatch } from './apply-patch.js';
import { invertPatch } from './invert-patch.js';
import { canonicalJson, type Json } from './json.js';
import type { PatchOperation } from './json-patch.js';

const person: Json = { name: 'Ann', likes: ['tea', 'milk'], home: { city: 'Oslo' } };

describe('invertPatch', () => {
  it.each<[string, PatchOperation]>([
    ['an added member', { op: 'add', path: '/age', value: 9 }],
    ['an overwritten member', { op: 'add', path: '/name', value: 'Bo' }],
    ['an element at the end', { op: 'add', path: '/likes/-', value: 'wine' }],
    ['a removal', { op: 'remove', path: '/likes/0' }],
    ['a replacement', { op: 'replace', path: '/home/city', value: 'Rome' }],
    ['a move that overwrites', { op: 'move', from: '/home/city', path: '/name' }],
    ['a move onto itself', { op: 'move', from: '/name', path: '/name' }],
    ['a copy', { op: 'copy', from: '/home', path: '/likes/-' }],
    ['another document', { op: 'replace', path: '', value: { other: true } }],
  ])('leads back from %s', (_, operation) => {
    expect(applyPatch(applyPatch(person, [operation]), invertPatch(person, [operation]))).toEqual(person);
  });

  it('leads back from any patch', () => {
    fc.assert(
      fc.property(document, fc.gen(), (base, random) => {
        const ops = patchFor(base, random);
        const back = applyPatch(applyPatch(base, ops), invertPatch(base, ops));
        expect(canonicalJson(back)).toBe(canonicalJson(base));
      }),
    );
  });
});
