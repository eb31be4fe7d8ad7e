import { describe, expect, it } from 'vitest';
import { SignInCodes } from './sign-in-codes.js';

describe('a sign-in code', () => {
  it('stands for its token once', () => {
    const codes = new SignInCodes();
    const code = codes.issue('a token');
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(codes.redeem('x'.repeat(43))).toBeUndefined();
    expect(codes.redeem(code)).toBe('a token');
    expect(codes.redeem(code)).toBeUndefined();
  });

  it('is valid for five minutes', () => {
    let now = 0;
    const codes = new SignInCodes(() => now);
    const [first, second] = [codes.issue('one'), codes.issue('two')];
    now = 300_000;
    expect(codes.redeem(first)).toBe('one');
    now = 300_001;
    expect(codes.redeem(second)).toBeUndefined();
  });

  it('is forgotten when many others were issued since', () => {
    const codes = new SignInCodes();
    const first = codes.issue('first');
    const others = Array.from({ length: 100 }, (_, index) => codes.issue(`${index}`));
    expect(codes.redeem(first)).toBeUndefined();
    expect(codes.redeem(others[0] ?? '')).toBe('0');
  });
});
