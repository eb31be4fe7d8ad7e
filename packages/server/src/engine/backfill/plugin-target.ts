import { setTimeout as delay } from 'node:timers/promises';
import { Problem, type ProblemCode } from '@memhall/core';
import type {
  MemoryPlugin,
  NewPluginMemory,
  PluginCall,
  PluginCapability,
  PluginMemory,
} from '../../ports/memory-plugin.js';
import { NamespaceMaker } from '../plugin/namespace-maker.js';
import type { MappedNamespace } from './map-namespace.js';
import { TargetVectors, type VectorSupply } from './target-vectors.js';

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
  readonly #vectors: TargetVectors;
  #capabilities: readonly PluginCapability[] | undefined;
  readonly #namespaces = new NamespaceMaker();

  /** After `signal` aborts nothing is retried; calls in progress are completed. */
  constructor(
    plugin: MemoryPlugin,
    call: PluginCall,
    { signal, vectors, pauses = patient }: { signal: AbortSignal; vectors: VectorSupply; pauses?: RetryPauses },
  ) {
    this.#plugin = plugin;
    this.#call = call;
    this.#signal = signal;
    this.#vectors = new TargetVectors(vectors);
    this.#pauses = pauses;
  }

  /** Whether it finds memories by the vectors it is sent, and so can tell equal texts apart. */
  get isSentVectors(): boolean {
    return this.#vectors.areSent;
  }

  /** Whether a search for words makes sense. */
  get matchesWords(): boolean {
    return this.#capabilities?.includes('fts') ?? false;
  }

  /** Stores the memory, or replaces the one with its id. Throws RowFault if it cannot be embedded. */
  async commit({ name, kind }: MappedNamespace, memory: NewPluginMemory & { id: string }): Promise<void> {
    const prepared = await this.prepare(memory);
    const embedding = await this.#repeat(() => this.#vectors.of(memory));
    const namespace = { name, kind, expiresAt: null, metadata: null };
    await this.#namespaces.write({
      key: name,
      write: () => this.#repeat(() => this.#plugin.commit(this.#call, name, { ...prepared, embedding })),
      make: () => this.#repeat(() => this.#plugin.putNamespace(this.#call, namespace)),
    });
  }

  search(namespace: string, query: string | undefined, embedding?: readonly number[]): Promise<PluginMemory[]> {
    const search = { namespaces: [namespace], query, embedding, limit: mostResults };
    return this.#repeat(() => this.#plugin.search(this.#call, search));
  }

  /**
   * Searches in the way that finds this memory best: by its vector if the plugin is sent vectors, else by its words, else
   * among the newest. A plugin that does not match words may reject a query.
   */
  async searchLike(namespace: string, memory: { id: string; content: string }): Promise<PluginMemory[]> {
    await this.#learn();
    const embedding = await this.#repeat(() => this.#vectors.of(memory));
    const isByWords = embedding === undefined && this.matchesWords;
    return this.search(namespace, isByWords ? shorten(memory.content) : undefined, embedding);
  }

  /** Removes fields that this plugin does not store. */
  async prepare({ propagation, ...rest }: NewPluginMemory): Promise<NewPluginMemory> {
    const capabilities = await this.#learn();
    return capabilities.includes('propagation') && propagation !== undefined ? { ...rest, propagation } : rest;
  }

  /** Resolves when the plugin responds, and learns its capabilities. Throws UNAVAILABLE if it needs an embedder. */
  async reach(): Promise<void> {
    await this.#learn();
  }

  /** Whether the plugin is healthy right now. */
  async isWell(): Promise<boolean> {
    return this.#plugin.health(this.#call).then(
      ({ status }) => status === 'ok',
      () => false,
    );
  }

  async #learn(): Promise<readonly PluginCapability[]> {
    if (this.#capabilities !== undefined) return this.#capabilities;
    const { capabilities } = await this.#repeat(() => this.#plugin.health(this.#call));
    await this.#vectors.learn(capabilities);
    this.#capabilities = capabilities;
    return capabilities;
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

/** Some plugins reject longer queries, and more text adds nothing. */
const longestQuery = 8000;

function shorten(text: string): string {
  const cut = text.slice(0, longestQuery);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
