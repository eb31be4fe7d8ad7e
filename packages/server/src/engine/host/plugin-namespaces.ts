import { maintainTenant } from '../audit/maintain.js';
import type { Engine } from '../engine.js';

/** An erasure of the tenant also removes the names, so what this process has stored is stored again after a while. */
const trustedForMs = 10 * 60_000;
const mostRemembered = 10_000;

/**
 * Remembers the namespaces that are used in an external plugin, for exports: the plugin contract has no list of them.
 * Safe for concurrent calls, here and on other nodes.
 */
export class PluginNamespaces {
  readonly #engine: Engine;
  /** When each name was last stored by this process, in milliseconds. */
  readonly #stored = new Map<string, number>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Resolves when the names are durable. Costs nothing if they were stored recently. */
  async remember(tenantId: string, names: readonly string[]): Promise<void> {
    const now = this.#engine.clock.now();
    const keyOf = (name: string) => `${tenantId}/${name}`;
    const isStored = (name: string) => now.getTime() - (this.#stored.get(keyOf(name)) ?? 0) < trustedForMs;
    const missing = [...new Set(names)].filter((name) => !isStored(name));
    if (missing.length === 0) return;
    await maintainTenant(this.#engine, tenantId, async (tables) => tables.pluginNamespaces.add(missing, now));
    if (this.#stored.size > mostRemembered) this.#stored.clear();
    for (const name of missing) this.#stored.set(keyOf(name), now.getTime());
  }

  /** Returns up to `limit` names after `after`, in byte order. */
  list(tenantId: string, after: string, limit: number): Promise<string[]> {
    return this.#engine.store.inspect(tenantId, (tables) => tables.pluginNamespaces.list(after, limit));
  }
}
