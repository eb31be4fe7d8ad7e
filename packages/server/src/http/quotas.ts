import { Problem } from '@memhall/core';
import type { Store } from '../ports/store.js';
import type { Identity } from './identity.js';
import { LocalLimiter } from './local-limiter.js';
import { SharedLimiter } from './shared-limiter.js';

interface QuotaOptions {
  /** Where several nodes count together; if absent, requests are counted in this process. */
  store: Store | undefined;
  tenantPerMinute: number;
  userPerMinute: number;
  servicePerMinute: number;
  tokenlessPerMinute: number;
}

const quotaScopes = ['user', 'service', 'tokenless', 'tenant'] as const;
type QuotaScope = (typeof quotaScopes)[number];

const windowSeconds = 60;

/** Limits requests per minute. A limit of 0 means no limit. */
export class Quotas {
  readonly #limiters = new Map<QuotaScope, LocalLimiter | SharedLimiter>();
  readonly #refused = new Map<QuotaScope, number>();

  constructor(options: QuotaOptions) {
    const wanted: Record<QuotaScope, number> = {
      user: options.userPerMinute,
      service: options.servicePerMinute,
      tokenless: options.tokenlessPerMinute,
      tenant: options.tenantPerMinute,
    };
    for (const scope of quotaScopes) {
      const points = wanted[scope];
      if (points > 0) this.#limiters.set(scope, createLimiter(options.store, scope, points));
    }
  }

  /** Returns the limit of each scope, null for none, and how many requests were refused for it since this process started. */
  describe(): { scope: QuotaScope; perMinute: number | null; refused: number }[] {
    return quotaScopes.map((scope) => ({
      scope,
      perMinute: this.#limiters.get(scope)?.points ?? null,
      refused: this.#refused.get(scope) ?? 0,
    }));
  }

  /** Counts a request for its tenant, its service and, if known, its user. Throws QUOTA_EXCEEDED. */
  consume({ tenantId, serviceId }: Identity, userId: string | null): Promise<void> {
    return this.#consume(tenantId, { user: userId, service: serviceId, tenant: '' });
  }

  /** Counts a request for a user that only its body names. Throws QUOTA_EXCEEDED. */
  consumeUser(tenantId: string, userId: string): Promise<void> {
    return this.#consume(tenantId, { user: userId });
  }

  /** Counts a request without a token. Throws QUOTA_EXCEEDED. */
  consumeTokenless(tenantId: string): Promise<void> {
    return this.#consume(tenantId, { tokenless: '', tenant: '' });
  }

  /** A rejected request is not counted at all: one user over its limit must not use up the quota of the tenant. */
  async #consume(tenantId: string, members: Partial<Record<QuotaScope, string | null>>): Promise<void> {
    const counted: [LocalLimiter | SharedLimiter, string][] = [];
    for (const [scope, limiter] of this.#limiters) {
      const member = members[scope] ?? null;
      if (member === null) continue;
      const waitMs = await limiter.consume(tenantId, member);
      if (waitMs === 0) {
        counted.push([limiter, member]);
        continue;
      }
      this.#refused.set(scope, (this.#refused.get(scope) ?? 0) + 1);
      for (const [other, otherMember] of counted) await other.reward(tenantId, otherMember);
      throw quotaExceeded(scope, limiter.points, waitMs);
    }
  }
}

/** Callers without a token are on the machine of their node. */
function createLimiter(store: Store | undefined, scope: QuotaScope, points: number): LocalLimiter | SharedLimiter {
  if (store === undefined || scope === 'tokenless') return new LocalLimiter(points, windowSeconds);
  return new SharedLimiter(store, scope, points);
}

function quotaExceeded(scope: QuotaScope, limit: number, waitMs: number): Problem {
  const what = scope === 'tokenless' ? 'without a token' : `for this ${scope}`;
  return new Problem('QUOTA_EXCEEDED', `Too many requests ${what}. Wait, then send requests more slowly.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    details: { scope, limit, window_seconds: windowSeconds },
  });
}
