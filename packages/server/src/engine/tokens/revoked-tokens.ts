import { Problem } from '@memhall/core';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import type { RevocationKind, TokenRevocation } from '../../ports/token-revocations.js';

/** What decides whether a token was revoked. */
export interface TokenFacts {
  tenantId: string;
  userId: string | null;
  /** The claim `jti`; null if the token has none. */
  tokenId: string | null;
  /** The claim `iat`; null if the token has none. */
  issuedAt: Date | null;
}

interface RevokedOptions {
  store: Pick<Store, 'tokenRevocations'>;
  clock: Clock;
  onFault(error: unknown, doing: string): void;
}

const refreshMs = 2000;
/** Everything is read again this often; in between only what changed in the last minutes, by any clock that is not far off. */
const reloadMs = 60_000;
const recentMs = 600_000;
/** A list older than this counts as stale, and one older than `maxAgeMs` is not relied on. */
const staleMs = 5000;
const maxAgeMs = 60_000;

/** The revoked tokens of all tenants, in memory: checking a token takes no time, and a change arrives within seconds. */
export class RevokedTokens {
  readonly #options: RevokedOptions;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, TokenRevocation>();
  /** By `performance.now()`. */
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #reloadedAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RevokedOptions) {
    this.#options = options;
  }

  /** Reads the revoked tokens now and then every two seconds. Rejects if they cannot be read now. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#timer = setInterval(() => {
      if (this.#waiting === 0) void this.refresh();
    }, refreshMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads what has changed until now. A failure is reported; what was known before stays in force. */
  async refresh(): Promise<void> {
    await this.#refresh().catch((error: unknown) => this.#options.onFault(error, 'reading revoked tokens'));
  }

  /** Throws UNAUTHENTICATED if the token was revoked, and UNAVAILABLE if that has not been known for a minute. */
  check(token: TokenFacts): void {
    if (this.#ageMs > maxAgeMs) {
      throw new Problem('UNAVAILABLE', 'Tokens cannot be verified right now. Try again shortly.', {
        retryAfterSeconds: 2,
      });
    }
    if (this.isRevoked(token)) throw new Problem('UNAUTHENTICATED', 'The token was revoked. Get a new one.');
  }

  isRevoked({ tenantId, userId, tokenId, issuedAt }: TokenFacts): boolean {
    if (this.#entries.size === 0) return false;
    return (
      (tokenId !== null && this.#applies(tenantId, 'token', tokenId, issuedAt)) ||
      (userId !== null && this.#applies(tenantId, 'user', userId, issuedAt)) ||
      this.#applies(tenantId, 'tenant', '', issuedAt)
    );
  }

  /** Calls the listener whenever further tokens may have been revoked. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  state(): { entries: number; ageSeconds: number; isStale: boolean } {
    return { entries: this.#entries.size, ageSeconds: this.#ageMs / 1000, isStale: this.#ageMs > staleMs };
  }

  get #ageMs(): number {
    return performance.now() - this.#refreshedAtMs;
  }

  /** A token that does not say when it was issued may have been issued before. */
  #applies(tenantId: string, kind: RevocationKind, subject: string, issuedAt: Date | null): boolean {
    const entry = this.#entries.get(keyOf(tenantId, kind, subject));
    if (entry === undefined) return false;
    return entry.issuedBefore === null || issuedAt === null || issuedAt < entry.issuedBefore;
  }

  /** Refreshes one after the other, so that a later one never sees less. */
  #refresh(): Promise<void> {
    this.#waiting += 1;
    const refreshing = this.#refreshing.then(() => this.#load());
    this.#refreshing = refreshing
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
    return refreshing;
  }

  async #load(): Promise<void> {
    const startedAtMs = performance.now();
    const now = this.#options.clock.now();
    const isWhole = startedAtMs - this.#reloadedAtMs > reloadMs;
    const since = isWhole ? null : new Date(now.getTime() - recentMs);
    const found = await this.#options.store.tokenRevocations(since);
    if (isWhole) {
      this.#entries = new Map();
      this.#reloadedAtMs = startedAtMs;
    }
    for (const { tenantId, revocation } of found) {
      const key = keyOf(tenantId, revocation.kind, revocation.subject);
      const isOver = revocation.undoneAt !== null || (revocation.expiresAt !== null && revocation.expiresAt < now);
      if (isOver) this.#entries.delete(key);
      else this.#entries.set(key, revocation);
    }
    this.#refreshedAtMs = startedAtMs;
    for (const listener of this.#listeners) listener();
  }
}

function keyOf(tenantId: string, kind: RevocationKind, subject: string): string {
  return `${tenantId}\n${kind}\n${subject}`;
}
