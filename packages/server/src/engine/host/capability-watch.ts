import type { MemoryPlugin, PluginCapability, PluginHealth } from '../../ports/memory-plugin.js';
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
  #status: PluginHealth['status'] | 'unknown' = 'unknown';
  #asking: Promise<boolean> | undefined;
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

  /** As last reported; `unknown` until the plugin has responded once. */
  get status(): PluginHealth['status'] | 'unknown' {
    return this.#status;
  }

  get all(): PluginCapability[] {
    return [...this.#known];
  }

  /** Asks once more if the plugin has never responded or its store was down: its capabilities may be back by now. */
  async settle(): Promise<void> {
    if (this.#status !== 'ok') await this.#refresh();
  }

  has(capability: PluginCapability): boolean {
    return this.#known.has(capability);
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls at the same time share one request. */
  #refresh(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    const asker = systemCaller(this.#options.tenantId, '', 'host.health');
    const health = await this.#plugin.health(asker).catch(() => undefined);
    if (health === undefined) return false;
    const now = new Set(health.capabilities);
    const isSame = now.size === this.#known.size && [...now].every((capability) => this.#known.has(capability));
    this.#known = now;
    this.#status = health.status;
    if (!isSame) for (const listener of this.#listeners) listener();
    return true;
  }
}
