import { Problem } from '@memhall/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Identity } from './identity.js';

interface QuotaOptions {
  tenantPerMinute: number;
  userPerMinute: number;
  servicePerMinute: number;
}

type QuotaScope = 'user' | 'service' | 'tenant';

const windowSeconds = 60;

/** Limits requests per minute, counted in this process. A limit of 0 means no limit. */
export class Quotas {
  readonly #limiters = new Map<QuotaScope, RateLimiterMemory>();

  constructor(options: QuotaOptions) {
    const wanted = { user: options.userPerMinute, service: options.servicePerMinute, tenant: options.tenantPerMinute };
    for (const scope of ['user', 'service', 'tenant'] as const) {
      const points = wanted[scope];
      if (points > 0) this.#limiters.set(scope, new RateLimiterMemory({ points, duration: windowSeconds }));
    }
  }

  /** Counts a request for its tenant, its service and, if known, its user. Throws QUOTA_EXCEEDED. */
  consume({ tenantId, serviceId }: Identity, userId: string | null): Promise<void> {
    return this.#consume(tenantId, { user: userId, service: serviceId, tenant: '' });
  }

  /** Counts a request for a user that only its body names. Throws QUOTA_EXCEEDED. */
  consumeUser(tenantId: string, userId: string): Promise<void> {
    return this.#consume(tenantId, { user: userId, service: null, tenant: null });
  }

  /** A rejected request is not counted at all: one user over its limit must not use up the quota of the tenant. */
  async #consume(tenantId: string, members: Record<QuotaScope, string | null>): Promise<void> {
    const counted: [RateLimiterMemory, string][] = [];
    for (const [scope, limiter] of this.#limiters) {
      if (members[scope] === null) continue;
      const key = `${tenantId}\n${members[scope]}`;
      try {
        await limiter.consume(key);
        counted.push([limiter, key]);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        for (const [other, otherKey] of counted) await other.reward(otherKey);
        throw quotaExceeded(scope, limiter.points, refusal.msBeforeNext);
      }
    }
  }
}

function quotaExceeded(scope: QuotaScope, limit: number, waitMs: number): Problem {
  return new Problem('QUOTA_EXCEEDED', `Too many requests for this ${scope}. Wait, then send requests more slowly.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    details: { scope, limit, window_seconds: windowSeconds },
  });
}
