import { describe, expect, it } from 'vitest';
import { isId, ulid, uuidv7 } from './ids.js';

describe('uuidv7', () => {
  it('has its time in the first 48 bits', () => {
    const nowMs = Date.UTC(2026, 4, 21, 10, 30, 0, 123);
    const id = uuidv7(nowMs);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(nowMs);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts by time and does not repeat', () => {
    const ids = Array.from({ length: 2000 }, (_, index) => uuidv7(1_700_000_000_000 + index));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('ulid', () => {
  it('has its time in the first ten characters', () => {
    expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
  });

  it('sorts by time and does not repeat', () => {
    const ids = Array.from({ length: 2000 }, (_, index) => ulid(1_700_000_000_000 + index));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('isId', () => {
  it.each(['a', 'plan-1', 'user@example.com', 'chat:42', 'x'.repeat(128)])('accepts %s', (id) => {
    expect(isId(id)).toBe(true);
  });

  it.each(['', 'a b', 'a/b', 'é', 'x'.repeat(129), 'a\n', 7, null])('rejects %j', (id) => {
    expect(isId(id)).toBe(false);
  });
});
