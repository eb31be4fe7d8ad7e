import type { MemoryPlugin, PluginCapability } from '../../ports/memory-plugin.js';
import { systemCaller } from '../caller.js';

interface CapabilityWatchOptions {
  everyMs: number;
  /** Tenant in whose name the plugin is called. */
  tenantId: string;
}

/**
 * The capabilities of the plugin in use, refreshed periodically instead of with every call. If the plugin cannot be
 * reached, its last known capabilities still count: its calls then fail for another reason.
 */
export class CapabilityWatch {
  readonly #plugin: MemoryPlugin;
  readonly #options: CapabilityWatchOptions;
  readonly #listeners = new Set<() => void>();
  #known: ReadonlySet<PluginCapability> = new Set();
  #timer: NodeJS.Timeout | undefined;

  constructor(plugin: MemoryPlugin, options: CapabilityWatchOptions) {
    this.#plugin = plugin;
    this.#options = options;
  }

  /** Asks once, ignoring failures, and then periodically. Returns whether the plugin responded. */
  async start(): Promise<boolean> {
    const answered = await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh(), this.#options.everyMs).unref();
    return answered;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  has(capability: PluginCapability): boolean {
    return this.#known.has(capability);
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #refresh(): Promise<boolean> {
    const asker = systemCaller(this.#options.tenantId, '', 'host.health');
    const health = await this.#plugin.health(asker).catch(() => undefined);
    if (health === undefined) return false;
    const now = new Set(health.capabilities);
    const isSame = now.size === this.#known.size && [...now].every((capability) => this.#known.has(capability));
    this.#known = now;
    if (!isSame) for (const listener of this.#listeners) listener();
    return true;
  }
}
