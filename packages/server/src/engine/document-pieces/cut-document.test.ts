import type { Json } from '@memhall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutDocument, maxPieceLength, maxPieces } from './cut-document.js';

function cut(content: { [key: string]: Json }, denied: string[][] = []) {
  return cutDocument({ content }, { denied: denied.map((place) => ['content', ...place]), also: [] }).map(
    ({ place, text }) => [place.pointer, text],
  );
}

describe('cutting a document into pieces', () => {
  it('takes each string, and each element of a list', () => {
    const content = {
      profile: { name: 'Ada', age: 36, isNew: true, nothing: null },
      preferences: ['Short answers.', 'Tea'],
      lucky_numbers: [7],
      'a/b': { deep: { er: 'still here' } },
    };
    expect(cut(content)).toEqual([
      ['/content/profile/name', 'Ada'],
      ['/content/preferences', 'Short answers.'],
      ['/content/preferences', 'Tea'],
      ['/content/lucky_numbers', '7'],
      ['/content/a~1b/deep/er', 'still here'],
    ]);
  });

  it('makes one readable text of an object in a list, without its bookkeeping', () => {
    const evidence = { message_ids: ['m1'], quote: 'never shown' };
    const content = {
      durable_facts: [
        { text: 'Lives in Lisbon.', confidence: 0.9, evidence, last_verified_at: '2026-01-01T00:00:00Z' },
      ],
      people: [
        { personId: 'p-1', name: 'Ada', role: 'nurse', age: 36 },
        { name: 'Grace', languages: ['COBOL', 'English'], home: { city: 'Arlington' } },
        { source: 'a call', text: 'Owns a boat.' },
      ],
      projects_index: [{ project_id: 'p', aliases: [], keywords: [] }],
    };
    expect(cut(content)).toEqual([
      ['/content/durable_facts', 'Lives in Lisbon.'],
      ['/content/people', 'name: Ada, role: nurse, age: 36'],
      ['/content/people', 'name: Grace; languages: COBOL, English; home: Arlington'],
      ['/content/people', 'Owns a boat., source: a call'],
    ]);
  });

  it('leaves out bookkeeping by the last word of a name, and nothing that only looks like it', () => {
    const content = {
      ...{ doc_id: 'x', messageIds: ['x'], snapshot_uri: 'x', created_at: 'x', evidence: ['x'], stale_after: 'x' },
      ...{ paid: 'yes', format: 'A4', identity: 'Ada', whereabouts: 'Bern' },
    };
    expect(cut(content).map(([, text]) => text)).toEqual(['yes', 'A4', 'Ada', 'Bern']);
  });

  it('leaves out denied places, inside of elements too', () => {
    const content = { open: 'shown', secret: { plan: 'hidden' }, list: ['hidden', { name: 'shown', plan: 'hidden' }] };
    expect(cut(content, [['secret'], ['list', '0'], ['list', '1', 'plan']])).toEqual([
      ['/content/open', 'shown'],
      ['/content/list', 'shown'],
    ]);
    expect(cut(content, [[]])).toEqual([]);
    expect(cut(content, [['ope']])).toContainEqual(['/content/open', 'shown']);
  });

  it('cuts a long text at the ends of sentences, and removes secrets before they could be cut in two', () => {
    const sentence = 'The committee met in the large hall and decided nothing of importance. ';
    const key = 'AKIAIOSFODNN7EXAMPLE';
    const pieces = cut({ minutes: `${sentence.repeat(6)}The key is ${key} for now. ${sentence.repeat(10)}` });
    expect(pieces.length).toBeGreaterThan(1);
    for (const [, text = ''] of pieces) {
      expect(text.length).toBeLessThanOrEqual(maxPieceLength);
      expect(text).toMatch(/\.$/);
    }
    expect(pieces.map(([, text]) => text).join(' ')).not.toContain(key.slice(0, 10));
  });

  it('counts equal texts of one place, so that each is a piece of its own', () => {
    const pieces = cutDocument({ content: { list: ['tea', 'tea', 'rain'], other: ['tea'] } }, { denied: [], also: [] });
    expect(pieces.map(({ repetition }) => repetition)).toEqual([0, 1, 0, 0]);
  });

  it('leaves out texts without a word, and texts that no memory can hold', () => {
    expect(cut({ a: '', b: ' \n ', c: '---', d: 'x\u0000y', e: '\ud800x', f: '42' })).toEqual([['/content/f', '42']]);
  });

  it('stops at a number of pieces and at a depth', () => {
    expect(cut({ list: Array.from({ length: 3 * maxPieces }, (_, index) => `n${index}`) })).toHaveLength(maxPieces);
    let deep: Json = 'unreachable';
    for (let depth = 0; depth < 20_000; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep };
    expect(cut({ deep, flat: 'reached' })).toEqual([['/content/flat', 'reached']]);
  });

  it('never throws, and is the same for the same content', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        const once = cut(content as { [key: string]: Json });
        expect(cut(structuredClone(content) as { [key: string]: Json })).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});
