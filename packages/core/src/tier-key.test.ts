import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findKeyFault, fromTierLabel, isTier, type Tier, tiers, toTierLabel } from './tier-key.js';

describe('isTier', () => {
  it('accepts the seven tiers by their exact names', () => {
    expect(tiers.every(isTier)).toBe(true);
    for (const other of ['agent', 'PINS', '', 'daily ', undefined, 7]) expect(isTier(other)).toBe(false);
  });
});

describe('findKeyFault', () => {
  it.each(['AGENT', 'CREW', 'PERSONA', 'pins', 'lessons'] as Tier[])('ignores a key in %s', (tier) => {
    expect(findKeyFault(tier, undefined)).toBeUndefined();
    expect(findKeyFault(tier, '../x')).toBeUndefined();
    expect(toTierLabel(tier, '../x')).toBe(`${tier}.md`);
  });

  it.each(['2026-05-21', '2024-02-29', '1999-12-31'])('accepts the day %s', (key) => {
    expect(findKeyFault('daily', key)).toBeUndefined();
  });

  it.each(['2026-02-29', '2026-13-01', '2026-5-1', '21.05.2026', '2026-05-21T00:00', 'today', ' 2026-05-21'])(
    'rejects %j as a day',
    (key) => {
      expect(findKeyFault('daily', key)).toBe('must be a date such as 2026-05-21');
    },
  );

  it.each(['lena', 'lena-k', 'Lena_2', 'a', 'l.e.n.a', 'x'.repeat(64)])('accepts the peer %s', (key) => {
    expect(findKeyFault('peers', key)).toBeUndefined();
  });

  it.each(['-lena', '.lena', 'lena.', 'le na', 'läna', 'lena@example.com', 'x'.repeat(65)])(
    'rejects the peer %j',
    (key) => {
      expect(findKeyFault('peers', key)).toMatch(/^must be a name/);
    },
  );

  it.each(['a/b', 'a\\b', '..', 'a..b', 'a\u0000', 'a\n', '\u0085'])(
    'rejects %j, which could escape its folder',
    (key) => {
      for (const tier of ['daily', 'peers'] as const) {
        expect(findKeyFault(tier, key)).toBe('must not contain /, \\, .. or control characters');
      }
    },
  );

  it('requires a key for keyed tiers', () => {
    expect(findKeyFault('daily', undefined)).toBe('is required for daily: a date such as 2026-05-21');
    expect(findKeyFault('peers', '')).toMatch(/^is required for peers: /);
  });

  it('accepts only keys whose label is a folder and a file', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tiers), fc.string({ unit: 'binary' }), (tier, key) => {
        if (findKeyFault(tier, key) === undefined) {
          expect(toTierLabel(tier, key)).toMatch(/^([a-z]+\/)?[A-Za-z0-9][A-Za-z0-9._-]*\.md$/);
        }
      }),
    );
  });
});

describe('a key of a megabyte', () => {
  const pieces = [
    'a',
    '-',
    '.',
    '..',
    '/',
    '\\',
    '2026-05-21',
    '0',
    ' ',
    'ä',
    '\u0000',
    '\ud800',
    'a.',
    '-a',
    '.md',
    '\n',
  ];
  const large = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', minLength: 1 })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join(''))
    .map((seed) => seed.repeat(Math.ceil(2 ** 20 / seed.length)));

  it('is rejected in keyed tiers and is never part of a valid label', () => {
    fc.assert(
      fc.property(fc.constantFrom('daily' as const, 'peers' as const), large, (tier, key) => {
        expect(findKeyFault(tier, key)).toMatch(/^must /);
        expect(fromTierLabel(`${tier}/${key}.md`)).toBeUndefined();
        expect(fromTierLabel(key)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

describe('fromTierLabel', () => {
  it('round-trips every label', () => {
    const keys: Partial<Record<Tier, string>> = { daily: '2026-05-21', peers: 'lena-k' };
    for (const tier of tiers) {
      expect(fromTierLabel(toTierLabel(tier, keys[tier]))).toEqual({ tier, key: keys[tier] });
    }
  });

  it.each([
    '',
    'AGENT',
    'agent.md',
    'AGENT/x.md',
    'daily.md',
    'daily/today.md',
    'peers/a/b.md',
    'peers/../AGENT.md',
    '/AGENT.md',
  ])('rejects %j', (label) => {
    expect(fromTierLabel(label)).toBeUndefined();
  });
});
