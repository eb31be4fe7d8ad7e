import { createHash } from 'node:crypto';
import type { Store } from '../ports/store.js';

interface Window {
  /** Requests that this node was granted and has not let through. */
  left: number;
  endsAtMs: number;
  /** Requests that wait for the next grant. */
  waiting: number;
  /** The grant they wait for. */
  taking: Promise<void> | undefined;
  /** Whether nothing is left for any node. */
  isSpent: boolean;
}

/** Windows that are over are forgotten from this number on. */
const manyWindows = 10_000;

/**
 * Limits requests per minute of all nodes together. A node takes several requests at a time out of a count in the database, so that few
 * of them wait for it. A node whose limit is spent does not ask again before the minute is over.
 */
export class SharedLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #store: Store;
  readonly #scope: string;

  constructor(
    store: Store,
    scope: string,
    readonly points: number,
  ) {
    this.#store = store;
    this.#scope = scope;
  }

  /** Returns 0, or if the limit is reached how many milliseconds are left until the next minute. */
  async consume(tenantId: string, member: string): Promise<number> {
    const window = this.#windowOf(tenantId, member);
    for (;;) {
      const now = Date.now();
      if (window.endsAtMs <= now) Object.assign(window, { left: 0, isSpent: false });
      if (window.left > 0) {
        window.left -= 1;
        return 0;
      }
      if (window.isSpent) return window.endsAtMs - now;
      window.waiting += 1;
      window.taking ??= this.#take(window, tenantId, member).finally(() => {
        window.taking = undefined;
      });
      await window.taking.finally(() => {
        window.waiting -= 1;
      });
    }
  }

  /** Takes back that a request was counted. */
  reward(tenantId: string, member: string): void {
    this.#windowOf(tenantId, member).left += 1;
  }

  async #take(window: Window, tenantId: string, member: string): Promise<void> {
    // Requests of the same turn of the event loop share a grant.
    await Promise.resolve();
    const { points: limit } = this;
    const { granted, endsAt } = await this.#store.count(tenantId, (tables) =>
      tables.quotaCounts.take({ key: this.#keyOf(member), limit, wanted: window.waiting, now: new Date() }),
    );
    Object.assign(window, { left: granted, endsAtMs: endsAt.getTime(), isSpent: granted === 0 });
  }

  #windowOf(tenantId: string, member: string): Window {
    const key = `${tenantId}\n${member}`;
    let window = this.#windows.get(key);
    if (window === undefined) {
      if (this.#windows.size >= manyWindows) this.#forgetEnded();
      window = { left: 0, endsAtMs: 0, waiting: 0, taking: undefined, isSpent: false };
      this.#windows.set(key, window);
    }
    return window;
  }

  #forgetEnded(): void {
    const now = Date.now();
    for (const [key, { endsAtMs, waiting }] of this.#windows) {
      if (endsAtMs <= now && waiting === 0) this.#windows.delete(key);
    }
  }

  #keyOf(member: string): string {
    return createHash('sha256').update(`${this.#scope}\n${member}`).digest('base64url');
  }
}
