import { Problem } from '@memhall/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Identity } from './identity.js';

export interface QuotaOptions {
  tenantPerMinute: number;
  userPerMinute: number;
  servicePerMinute: number;
}

const windowSeconds = 60;

/** Requests per minute, counted in this process. A limit of 0 is none. */
export class Quotas {
  readonly #limits: { scope: 'tenant' | 'user' | 'service'; limiter: RateLimiterMemory }[] = [];

  constructor(options: QuotaOptions) {
    const wanted = { tenant: options.tenantPerMinute, user: options.userPerMinute, service: options.servicePerMinute };
    for (const scope of ['tenant', 'user', 'service'] as const) {
      const points = wanted[scope];
      if (points > 0) this.#limits.push({ scope, limiter: new RateLimiterMemory({ points, duration: windowSeconds }) });
    }
  }

  /** Throws QUOTA_EXCEEDED with the time to wait. */
  async consume(identity: Identity, userId: string | undefined): Promise<void> {
    for (const { scope, limiter } of this.#limits) {
      const member = { tenant: '', user: userId ?? identity.userId, service: identity.serviceId }[scope];
      if (member === null) continue;
      try {
        await limiter.consume(`${identity.tenantId}\n${member}`);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new Problem('QUOTA_EXCEEDED', `Too many requests of this ${scope}: wait, then go on more slowly.`, {
          retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
          details: { scope, limit: limiter.points, window_seconds: windowSeconds },
        });
      }
    }
  }
}
