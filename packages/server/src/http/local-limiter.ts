import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Limits requests in a window of time, counted in this process. */
export class LocalLimiter {
  readonly #limiter: RateLimiterMemory;

  constructor(
    readonly points: number,
    windowSeconds: number,
  ) {
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  }

  /** Returns 0, or if the limit is reached how many milliseconds are left until the window ends. */
  async consume(tenantId: string, member: string): Promise<number> {
    try {
      await this.#limiter.consume(`${tenantId}\n${member}`);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  }

  /** Takes back that a request was counted. */
  async reward(tenantId: string, member: string): Promise<void> {
    await this.#limiter.reward(`${tenantId}\n${member}`);
  }
}
