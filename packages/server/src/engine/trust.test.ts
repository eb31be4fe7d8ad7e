import { describe, expect, it } from 'vitest';
import { type SurfaceName, surfaceNames, type Trust, trustLevels } from '../ports/memory-origin.js';
import { isLower, lowestTrust, trustOf, type Writer } from './trust.js';

const writers: Record<string, Pick<Writer, 'userId' | 'actor'>> = {
  'a plain user': { userId: 'ann', actor: { userId: 'ann', serviceId: null, roles: [] } },
  'a plain user through an app': { userId: 'ann', actor: { userId: 'ann', serviceId: 'app', roles: [] } },
  'an admin for somebody else': { userId: 'ann', actor: { userId: 'root', serviceId: null, roles: ['admin'] } },
  'an admin without a user': { userId: 'ann', actor: { userId: null, serviceId: 'ops', roles: ['admin'] } },
  'an admin who is a service too': {
    userId: 'ann',
    actor: { userId: 'root', serviceId: 's', roles: ['service', 'admin'] },
  },
  'an admin for themselves': { userId: 'root', actor: { userId: 'root', serviceId: null, roles: ['admin'] } },
  'a service': { userId: 'ann', actor: { userId: null, serviceId: 'crm', roles: ['service'] } },
  'a service that has a user': { userId: 'ann', actor: { userId: 'bot', serviceId: 'crm', roles: ['service'] } },
  'a service for its own user': { userId: 'bot', actor: { userId: 'bot', serviceId: 'crm', roles: ['service'] } },
  'a service with a token of the user': {
    userId: 'ann',
    actor: { userId: 'ann', serviceId: 'crm', roles: [], isService: true },
  },
  'Memhall itself': { userId: 'ann', actor: { userId: null, serviceId: 'memhall', roles: [] } },
};
const speakers = [null, 'user', 'assistant', 'system', 'narrator', 'tool'];

/** What each writer's own words are worth on a surface that does not say otherwise. */
const ownWords: Record<string, Trust> = {
  'a plain user': 'user',
  'a plain user through an app': 'user',
  'an admin for somebody else': 'operator',
  'an admin without a user': 'operator',
  'an admin who is a service too': 'operator',
  'an admin for themselves': 'user',
  'a service': 'agent',
  'a service that has a user': 'agent',
  'a service for its own user': 'agent',
  'a service with a token of the user': 'agent',
  'Memhall itself': 'agent',
};
const wordsOf: Record<string, Trust> = {
  user: 'user',
  assistant: 'agent',
  system: 'agent',
  narrator: 'agent',
  tool: 'tool',
};
/** What no writer on a surface exceeds. */
const ceilings: Partial<Record<SurfaceName, Trust>> = {
  plugin: 'external',
  import: 'external',
  mcp: 'agent',
  files: 'agent',
};

describe('trust', () => {
  const cases = surfaceNames.flatMap((surface) =>
    Object.entries(writers).flatMap(([name, writer]) =>
      speakers.map((speaker) => ({ surface, name, writer, speaker })),
    ),
  );

  it('follows the table for every surface, writer and speaker', () => {
    const wrong = cases.filter(({ surface, name, writer, speaker }) => {
      const said = speaker === null ? (ownWords[name] as Trust) : (wordsOf[speaker] as Trust);
      const ceiling = ceilings[surface];
      const expected = ceiling !== undefined && isLower(ceiling, said) ? ceiling : said;
      return trustOf({ ...writer, surface }, speaker) !== expected;
    });
    expect(wrong).toEqual([]);
    expect(cases).toHaveLength(11 * 11 * 6);
  });

  it.each(trustLevels)('is never higher than the cap %s of the token', (maxTrust) => {
    for (const { surface, writer, speaker } of cases) {
      const without = trustOf({ ...writer, surface }, speaker);
      const capped = trustOf({ ...writer, surface, maxTrust }, speaker);
      expect(capped).toBe(isLower(maxTrust, without) ? maxTrust : without);
    }
  });

  it('has one order, in which user and operator are equal', () => {
    const lower = trustLevels.map((one) => trustLevels.filter((other) => isLower(other, one)));
    expect(lower).toEqual([
      ['agent', 'tool', 'external'],
      ['agent', 'tool', 'external'],
      ['tool', 'external'],
      ['external'],
      [],
    ]);
  });

  it('of several is the lowest, and the first of equals', () => {
    expect(lowestTrust('user', 'operator', undefined)).toBe('user');
    expect(lowestTrust('operator', 'user')).toBe('operator');
    expect(lowestTrust('agent', 'external', 'tool')).toBe('external');
  });
});
