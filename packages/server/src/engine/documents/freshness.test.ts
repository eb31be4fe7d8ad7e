import { describe, expect, it } from 'vitest';
import { staleFacts } from './freshness.js';

const now = new Date('2026-06-01T00:00:00Z');
const sections = { durable_facts: ['content', 'facts'] };
const verified = '2026-05-01T00:00:00.000Z';
const stale = (facts: unknown, staleAfterDays: number | null = null) =>
  staleFacts({ sections, staleAfterDays }, { content: { facts } as never }, now).map(({ path, since, reason }) => [
    path,
    since.toISOString(),
    reason,
  ]);

describe('stale facts', () => {
  it.each([
    ['a fact without times', [{ text: 'a' }], []],
    ['a fact whose end is ahead', [{ expires_at: '2026-07-01T00:00:00Z', last_verified_at: verified }], []],
    ['a fact whose end has passed', [{ expires_at: '2026-05-20T00:00:00Z' }], ['expired']],
    [
      'a fact past its stale_after',
      [{ stale_after: '2026-05-20T00:00:00Z', last_verified_at: verified }],
      ['stale_after'],
    ],
    [
      'a fact verified after its stale_after',
      [{ stale_after: '2026-04-01T00:00:00Z', last_verified_at: verified }],
      [],
    ],
    ['a fact whose stale_after is now', [{ stale_after: '2026-06-01T00:00:00Z' }], ['stale_after']],
    ['times that are none', [{ stale_after: 'soon', expires_at: 3, last_verified_at: null }], []],
    ['entries that are not facts', ['text', null, 7, ['2026']], []],
    ['a section that is not a list', 'text', []],
    ['no section', undefined, []],
  ])('%s', (_, facts, reasons) => {
    expect(stale(facts).map(([, , reason]) => reason)).toEqual(reasons);
  });

  it('are found by the age of their last verification', () => {
    expect(stale([{ last_verified_at: verified }, { last_verified_at: '2026-05-31T00:00:00Z' }, {}], 30)).toEqual([
      ['/content/facts/0', '2026-05-31T00:00:00.000Z', 'not_verified'],
    ]);
    expect(stale([{ last_verified_at: verified }], 31)).toEqual([
      ['/content/facts/0', '2026-06-01T00:00:00.000Z', 'not_verified'],
    ]);
    expect(stale([{ last_verified_at: verified }], 32)).toEqual([]);
  });

  it('are stale from the earliest moment that applies, and named by their place', () => {
    const fact = {
      expires_at: '2026-05-25T00:00:00Z',
      stale_after: '2026-05-20T00:00:00Z',
      last_verified_at: verified,
    };
    expect(stale({ 'a/b': fact }, 20)).toEqual([['/content/facts/a~1b', '2026-05-20T00:00:00.000Z', 'stale_after']]);
    expect(stale([fact], 10)).toEqual([['/content/facts/0', '2026-05-11T00:00:00.000Z', 'not_verified']]);
  });
});
