import type { Scope, Store } from '../../ports/store.js';

export const defaultTimeZone = 'UTC';

const rememberedMs = 30_000;
const mostKnown = 10_000;

/** The time zones of users. They are cached for half a minute: a change on another node takes that long. */
export class TimeZones {
  readonly #store: Store;
  /** In the order in which they were read. */
  readonly #known = new Map<string, { timeZone: string; until: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the time zone of the scope's user. */
  async of(scope: Scope): Promise<string> {
    const key = keyOf(scope.tenantId, scope.userId);
    const known = this.#known.get(key);
    if (known !== undefined && known.until > Date.now()) return known.timeZone;
    const found = await this.#store.read(scope, (tables) => tables.userSettings.get());
    const timeZone = found?.timeZone ?? defaultTimeZone;
    this.#known.delete(key);
    this.#known.set(key, { timeZone, until: Date.now() + rememberedMs });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return timeZone;
  }

  forget(tenantId: string, userId: string): void {
    this.#known.delete(keyOf(tenantId, userId));
  }
}

function keyOf(tenantId: string, userId: string | null): string {
  return JSON.stringify([tenantId, userId]);
}
