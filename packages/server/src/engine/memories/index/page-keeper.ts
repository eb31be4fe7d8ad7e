import { setTimeout as sleep } from 'node:timers/promises';
import type { Partition } from '../../../ports/memories.js';
import type { StoredPage } from '../../../ports/memory-index.js';
import type { Store } from '../../../ports/store.js';
import type { Segment } from './segment.js';
import { writeDerived, writerScopeOf } from './write-derived.js';

/** Lets the recall that is waiting for the segment finish first. */
const startAfterMs = 500;
/** A partition that changes all the time gets new pages at most this often. */
const pauseMs = 60_000;

interface PageKeeperOptions {
  pageRows: number;
  model: { name: string; dimension: number } | null;
  onFault(error: unknown, doing: string): void;
}

interface Kept {
  upTo: number;
  at: number;
}

/** Stores the columns of partitions in pages, from which they are read after a start. Every change drops a page. */
export class PageKeeper {
  readonly #store: Store;
  readonly #options: PageKeeperOptions;
  readonly #kept = new WeakMap<Segment, Kept>();
  readonly #keeping = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(store: Store, options: PageKeeperOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Begins to store the pages that are missing, unless it was done a moment ago or nothing has changed since. */
  keep(tenantId: string, partition: Partition, segment: Segment): void {
    const { model, pageRows, onFault } = this.#options;
    const kept = this.#kept.get(segment);
    if (model === null || segment.count < pageRows || kept?.upTo === segment.upTo) return;
    if (kept !== undefined && Date.now() - kept.at < pauseMs) return;
    this.#kept.set(segment, { upTo: segment.upTo, at: Date.now() });
    const keeping = this.#keepAll(tenantId, partition, segment, model)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) onFault(error, 'storing pages of memories');
      })
      .finally(() => this.#keeping.delete(keeping));
    this.#keeping.add(keeping);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#keeping);
  }

  async #keepAll(tenantId: string, partition: Partition, segment: Segment, model: { name: string }): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal: this.#closing.signal });
    const { pageRows } = this.#options;
    const missing = (pages: readonly StoredPage[]) => gapOf(pages, segment, pageRows);
    await pause(startAfterMs);
    const scope = { ...writerScopeOf(tenantId, partition), operation: 'memories.keepPages' };
    const [stored = []] = await this.#store.read(scope, ({ memoryIndex }) => memoryIndex.pages([partition], model));
    for (let isMissing = missing(stored) !== undefined; isMissing; ) {
      const start = performance.now();
      isMissing = await writeDerived({ store: this.#store }, tenantId, partition, async ({ memoryIndex }) => {
        const [pages = []] = await memoryIndex.pages([partition], model);
        const gap = missing(pages);
        return gap !== undefined && memoryIndex.keepPage(partition, { ...gap, limit: pageRows }, model);
      });
      // Half of the time is left to requests.
      await pause(performance.now() - start);
    }
  }
}

/** Returns what no page covers: between two pages, or after the last one if there are enough memories for another page. */
function gapOf(
  pages: readonly StoredPage[],
  segment: Segment,
  pageRows: number,
): { after: number; until: number | null } | undefined {
  let after = 0;
  for (const page of pages) {
    if (page.after > after) return { after, until: page.after };
    after = page.upTo;
  }
  return segment.countAfter(after) < pageRows ? undefined : { after, until: null };
}
