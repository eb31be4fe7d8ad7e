import type { MemoryPlugin, PluginCapability } from '../../ports/memory-plugin.js';
import { systemCaller } from '../caller.js';

interface CapabilityWatchOptions {
  everyMs: number;
  /** Tenant in whose name the plugin is asked. */
  tenantId: string;
}

/**
 * What the plugin in use can do, asked now and then and not at every call. While it cannot be reached, what it could do last
 * is taken to be so still: its calls fail for another reason then.
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

  /** Asks once, whatever comes of it, and from then on now and then. Answers whether the plugin did. */
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

  /** Ends when the returned function is called. */
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
