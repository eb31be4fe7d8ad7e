import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../ports/clock.js';
import { RevokedTokens } from './revoked-tokens.js';

const token = { tenantId: 't1', userId: 'u1', tokenId: 'j1', issuedAt: new Date(0) };

describe('revoked tokens', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are not relied on if they have not been read for a minute', async () => {
    let isReadable = true;
    const faults: unknown[] = [];
    const revoked = new RevokedTokens({
      store: {
        async tokenRevocations() {
          if (!isReadable) throw new Error('gone');
          return [];
        },
      },
      clock: systemClock,
      onFault: (error) => faults.push(error),
    });
    await revoked.start();
    isReadable = false;
    await vi.advanceTimersByTimeAsync(58_000);
    expect(revoked.state()).toMatchObject({ isStale: true, ageSeconds: 58 });
    expect(faults).toHaveLength(29);
    expect(() => revoked.check(token)).not.toThrow();
    await vi.advanceTimersByTimeAsync(4000);
    expect(() => revoked.check(token)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 2 }));
    isReadable = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect(() => revoked.check(token)).not.toThrow();
    expect(revoked.state().isStale).toBe(false);
    revoked.close();
  });
});
