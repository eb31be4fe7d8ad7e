import { setTimeout as delay } from 'node:timers/promises';
import { Problem, type ProblemCode } from '@memhall/core';
import type { MemoryPlugin, NewPluginMemory, PluginCall, PluginMemory } from '../../ports/memory-plugin.js';
import { NamespaceMaker } from '../plugin/namespace-maker.js';
import type { MappedNamespace } from './map-namespace.js';

interface RetryPauses {
  maxRetries: number;
  baseDelayMs: number;
  maxDelayMs: number;
}

const patient: RetryPauses = { maxRetries: 6, baseDelayMs: 100, maxDelayMs: 5000 };
const temporary: ReadonlySet<string> = new Set<ProblemCode>(['UNAVAILABLE', 'QUOTA_EXCEEDED']);

/** A plugin that receives memories. Temporary failures are retried, and missing namespaces are created. */
export class PluginTarget {
  readonly #plugin: MemoryPlugin;
  readonly #call: PluginCall;
  readonly #signal: AbortSignal;
  readonly #pauses: RetryPauses;
  #keepsPropagation: boolean | undefined;
  readonly #namespaces = new NamespaceMaker();

  /** After `signal` aborts nothing is retried; calls in progress are completed. */
  constructor(plugin: MemoryPlugin, call: PluginCall, signal: AbortSignal, pauses: RetryPauses = patient) {
    this.#plugin = plugin;
    this.#call = call;
    this.#signal = signal;
    this.#pauses = pauses;
  }

  /** Stores the memory, or replaces the one with its id. */
  async commit({ name, kind }: MappedNamespace, memory: NewPluginMemory): Promise<void> {
    const prepared = await this.prepare(memory);
    const namespace = { name, kind, expiresAt: null, metadata: null };
    await this.#namespaces.write({
      key: name,
      write: () => this.#repeat(() => this.#plugin.commit(this.#call, name, prepared)),
      make: () => this.#repeat(() => this.#plugin.putNamespace(this.#call, namespace)),
    });
  }

  search(namespace: string, query: string | undefined): Promise<PluginMemory[]> {
    const search = { namespaces: [namespace], query, limit: mostResults };
    return this.#repeat(() => this.#plugin.search(this.#call, search));
  }

  /** Removes fields that this plugin does not store. */
  async prepare({ propagation, ...rest }: NewPluginMemory): Promise<NewPluginMemory> {
    if (this.#keepsPropagation === undefined) await this.reach();
    return this.#keepsPropagation && propagation !== undefined ? { ...rest, propagation } : rest;
  }

  /** Resolves when the plugin responds, and learns its capabilities. */
  async reach(): Promise<void> {
    const { capabilities } = await this.#repeat(() => this.#plugin.health(this.#call));
    this.#keepsPropagation = capabilities.includes('propagation');
  }

  /** Whether the plugin is healthy right now. */
  async isWell(): Promise<boolean> {
    return this.#plugin.health(this.#call).then(
      ({ status }) => status === 'ok',
      () => false,
    );
  }

  async #repeat<T>(task: () => Promise<T>): Promise<T> {
    const { maxRetries, baseDelayMs, maxDelayMs } = this.#pauses;
    for (let attempt = 0; ; attempt++) {
      try {
        return await task();
      } catch (error) {
        if (!isPassing(error) || attempt >= maxRetries) throw error;
        const pauseMs = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt);
        await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: this.#signal }).catch(() => undefined);
        this.#signal.throwIfAborted();
      }
    }
  }
}

/** Whether the same call may succeed later. */
export function isPassing(error: unknown): boolean {
  return error instanceof Problem && temporary.has(error.code);
}

/** The limit of the plugin contract. */
export const mostResults = 100;
