import { createHash } from 'node:crypto';
import { Problem } from '@memhall/core';

const windowMs = 60_000;
/** How long a key counts as known after it was right. */
const knownMs = 3_600_000;
const maxEntries = 10_000;

interface Failures {
  count: number;
  /** When counting starts again. */
  untilMs: number;
}

/**
 * Counts wrong user keys by address, in this process. An address that sent too many gets no further key checked for the rest of a
 * minute, except keys that were right before: others may share the address, such as that of a proxy. A limit of 0 means no limit.
 */
export class FailedKeys {
  readonly #limit: number;
  readonly #failures = new Map<string, Failures>();
  /** Hashes of keys that were right, with the time until which they count as known. */
  readonly #known = new Map<string, number>();

  constructor(perMinute: number) {
    this.#limit = perMinute;
  }

  /** Throws QUOTA_EXCEEDED if the key must not be checked. */
  check(address: string, key: string, now = Date.now()): void {
    const failures = this.#failures.get(address);
    if (failures === undefined || failures.count < this.#limit || failures.untilMs <= now) return;
    if ((this.#known.get(hash(key)) ?? 0) > now) return;
    throw new Problem('QUOTA_EXCEEDED', 'Too many wrong keys from this address. Wait, then try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil((failures.untilMs - now) / 1000)),
      details: { scope: 'address', limit: this.#limit, window_seconds: windowMs / 1000 },
    });
  }

  noteWrong(address: string, now = Date.now()): void {
    if (this.#limit === 0) return;
    const present = this.#failures.get(address);
    if (present !== undefined && present.untilMs > now) present.count += 1;
    else put(this.#failures, address, { count: 1, untilMs: now + windowMs });
  }

  noteRight(key: string, now = Date.now()): void {
    if (this.#limit > 0) put(this.#known, hash(key), now + knownMs);
  }
}

/** Adds an entry as the newest. Removes the oldest if there are too many. */
function put<V>(entries: Map<string, V>, key: string, value: V): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= maxEntries) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
