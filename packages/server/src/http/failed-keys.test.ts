import { describe, expect, it } from 'vitest';
import { FailedKeys } from './failed-keys.js';

const refusal = (keys: FailedKeys, address: string, key: string, now: number) => {
  try {
    keys.check(address, key, now);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('wrong keys', () => {
  it('are counted per address and minute', () => {
    const keys = new FailedKeys(2);
    keys.noteWrong('a', 0);
    expect(refusal(keys, 'a', 'k', 1)).toBeUndefined();
    keys.noteWrong('a', 1000);
    expect(refusal(keys, 'a', 'k', 2000)).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      retryAfterSeconds: 58,
      details: { scope: 'address', limit: 2, window_seconds: 60 },
    });
    expect(refusal(keys, 'b', 'k', 2000)).toBeUndefined();
    expect(refusal(keys, 'a', 'k', 60_000)).toBeUndefined();
    keys.noteWrong('a', 60_000);
    expect(refusal(keys, 'a', 'k', 60_001)).toBeUndefined();
  });

  it('do not lock out keys that were right in the last hour', () => {
    const keys = new FailedKeys(1);
    keys.noteRight('mine', 0);
    keys.noteWrong('a', 3_590_000);
    expect(refusal(keys, 'a', 'mine', 3_590_001)).toBeUndefined();
    expect(refusal(keys, 'a', 'other', 3_590_001)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(refusal(keys, 'a', 'mine', 3_600_001)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('are remembered for 10,000 addresses', () => {
    const keys = new FailedKeys(1);
    for (let address = 0; address <= 10_000; address++) keys.noteWrong(`${address}`, 0);
    expect(refusal(keys, '0', 'k', 1)).toBeUndefined();
    expect(refusal(keys, '1', 'k', 1)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('have no limit if it is 0', () => {
    const keys = new FailedKeys(0);
    keys.noteWrong('a', 0);
    expect(refusal(keys, 'a', 'k', 1)).toBeUndefined();
  });
});
