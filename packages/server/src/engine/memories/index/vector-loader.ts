import { setTimeout as sleep } from 'node:timers/promises';
import type { Partition } from '../../../ports/memories.js';
import type { VectorPage } from '../../../ports/memory-index.js';
import type { Scope, Store } from '../../../ports/store.js';
import type { Segment } from './segment.js';

/** Vectors per statement: few enough not to block an embedded database for long. */
const pageRows = 1000;
/** Lets the recall that is waiting for the segment finish first. */
const startAfterMs = 200;

interface VectorLoaderOptions {
  model: { name: string; dimension: number } | null;
  onFault(error: unknown, doing: string): void;
}

/** Loads vectors of segments whose rows were read with signs only. */
export class VectorLoader {
  readonly #store: Store;
  readonly #options: VectorLoaderOptions;
  readonly #loading = new Map<Segment, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(store: Store, options: VectorLoaderOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Loads the vectors of some rows. A row that is no longer stored counts as one without a vector. */
  async load(scope: Scope, partition: Partition, segment: Segment, slots: readonly number[]): Promise<void> {
    for (let at = 0; at < slots.length; at += 4 * pageRows) {
      const asked = slots.slice(at, at + 4 * pageRows);
      const revisions = asked.map((slot) => segment.revisions[slot] ?? 0);
      const seqs = asked.map((slot) => segment.seqs[slot] ?? 0);
      segment.setVectors(await this.#read(scope, partition, { seqs }));
      for (const revision of revisions) segment.giveUpVector(revision);
    }
  }

  /** Begins to load all vectors that are left, page by page, unless it has begun. Stops once `isWanted` returns false. */
  loadAll(scope: Scope, partition: Partition, segment: Segment, isWanted: () => boolean): void {
    if (segment.vectors.lacking === 0 || this.#loading.has(segment)) return;
    const background = { ...scope, since: undefined, operation: 'memories.loadVectors' };
    const loading = this.#loadPages(background, partition, segment, isWanted)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.onFault(error, 'loading vectors');
      })
      .finally(() => this.#loading.delete(segment));
    this.#loading.set(segment, loading);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#loading.values());
  }

  async #loadPages(scope: Scope, partition: Partition, segment: Segment, isWanted: () => boolean): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal: this.#closing.signal });
    await pause(startAfterMs);
    for (let after = 0, isDone = false; !isDone && segment.vectors.lacking > 0 && isWanted(); ) {
      const start = performance.now();
      const page = await this.#read(scope, partition, { after, limit: pageRows });
      segment.setVectors(page);
      isDone = page.revisions.length < pageRows;
      after = page.revisions.at(-1) ?? after;
      // Half of the time is left to requests.
      await pause(performance.now() - start);
    }
  }

  #read(
    scope: Scope,
    partition: Partition,
    wanted: { seqs: readonly number[] } | { after: number; limit: number },
  ): Promise<VectorPage> {
    const { model } = this.#options;
    if (model === null) throw new Error('there are no vectors without a model');
    return this.#store.read(scope, (tables) => tables.memoryIndex.vectors(partition, wanted, model));
  }
}
