import { type Partition, partitionKey } from '../../../ports/memories.js';
import type { StoredPage } from '../../../ports/memory-index.js';
import type { Scope, Store } from '../../../ports/store.js';
import { PageKeeper } from './page-keeper.js';
import { readOn, type Start } from './read-on.js';
import { Segment } from './segment.js';
import { VectorLoader } from './vector-loader.js';

/**
 * A segment that was not refreshed for this long is read from the start: records of removals are kept only a little
 * longer.
 */
export const maxIdleMs = 60 * 60 * 1000;

/** From this share of the limit on, a partition is reported as large, so that its index is ready when needed. */
const soonLarge = 0.8;

interface SegmentCacheOptions {
  maxBytes: number;
  /** Larger partitions are neither cached nor read. */
  maxMemories: number;
  /** Rows per statement and stored page: few enough not to block an embedded database for long. */
  pageRows: number;
  model: { name: string; dimension: number } | null;
  /**
   * From `fromRows` memories in a scope on, cosines are estimated from the signs of vectors, except for those of the nearest
   * `exactRows`. Vectors of such a scope are loaded after its first recall.
   */
  estimates: { fromRows: number; exactRows: number };
  /** Called if a partition needs an index, or soon will. */
  onLarge(tenantId: string, partition: Partition): void;
  onFault(error: unknown, doing: string): void;
}

interface Entry {
  segment: Segment;
  refreshedAt: number;
  reportedLarge: boolean;
}

/** Returns the approximate memory use of one memory, including its words. */
export function bytesPerMemory(dimension: number): number {
  return 4 * dimension + dimension / 8 + 200;
}

/** Segments of the most recently searched partitions, updated before each use. */
export class SegmentCache {
  readonly #store: Store;
  readonly #options: SegmentCacheOptions;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #refreshing = new Map<string, Promise<Segment | undefined>>();
  readonly #vectors: VectorLoader;
  readonly #pages: PageKeeper;

  constructor(store: Store, options: SegmentCacheOptions) {
    this.#store = store;
    this.#options = options;
    this.#vectors = new VectorLoader(store, options);
    this.#pages = new PageKeeper(store, options);
  }

  get model(): SegmentCacheOptions['model'] {
    return this.#options.model;
  }

  get estimates(): SegmentCacheOptions['estimates'] {
    return this.#options.estimates;
  }

  get maxMemories(): number {
    return this.#options.maxMemories;
  }

  get bytes(): number {
    let sum = 0;
    for (const { segment } of this.#entries.values()) sum += segment.bytes;
    return sum;
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * Returns the current states of partitions, in their order. One statement tells which have changed; only those are read. A
   * partition whose namespace has expired at `now` counts as empty.
   */
  async getMany(scope: Scope, partitions: readonly Partition[], now: number): Promise<(Segment | 'large')[]> {
    const heads = await this.#store.read(wholeScope(scope), (tables) => tables.memoryIndex.heads(partitions));
    const found = partitions.map((partition, place) => {
      const { revision = 0, expiresAt = null } = heads[place] ?? {};
      if (expiresAt !== null && expiresAt.getTime() <= now) return new Segment(0);
      return this.#current(scope, partition, revision) ?? partition;
    });
    const waiting = await this.#waitForVectors(scope, found);
    const segments = await Promise.all(
      found.map(async (one, place) => {
        if (one instanceof Segment) return one;
        const start = { signsOnly: waiting !== undefined, pages: waiting?.get(one), head: heads[place]?.revision ?? 0 };
        return (await this.get(scope, one, start)) ?? 'large';
      }),
    );
    this.#keepPages(scope, partitions, segments);
    return segments;
  }

  /** Loads vectors of some rows of a segment that has only their signs. */
  loadVectors(scope: Scope, partition: Partition, segment: Segment, slots: readonly number[]): Promise<void> {
    return this.#vectors.load(wholeScope(scope), partition, segment, slots);
  }

  /** Stops work in the background. */
  async close(): Promise<void> {
    await Promise.all([this.#vectors.close(), this.#pages.close()]);
  }

  /** A scope whose cosines are estimated will be read from pages after a start. */
  #keepPages({ tenantId }: Scope, partitions: readonly Partition[], segments: readonly (Segment | 'large')[]): void {
    const resident = partitions.flatMap((partition, place) => {
      const segment = segments[place];
      return segment instanceof Segment ? [{ partition, segment }] : [];
    });
    if (resident.reduce((sum, { segment }) => sum + segment.count, 0) < this.#options.estimates.fromRows) return;
    for (const { partition, segment } of resident) this.#pages.keep(tenantId, partition, segment);
  }

  /**
   * If cosines will be estimated in a scope, returns the stored pages of its partitions that are not read yet: vectors can wait. Else
   * returns undefined.
   */
  async #waitForVectors(
    scope: Scope,
    found: readonly (Segment | Partition)[],
  ): Promise<Map<Partition, readonly StoredPage[]> | undefined> {
    const { model, estimates } = this.#options;
    const isCached = (one: Partition) => this.#entries.has(`${scope.tenantId}\n${partitionKey(one)}`);
    const unread = found.filter((one): one is Partition => !(one instanceof Segment) && !isCached(one));
    if (model === null || unread.length === 0) return undefined;
    const known = found.reduce((sum, one) => sum + (one instanceof Segment ? one.count : 0), 0);
    const wanted = Math.max(0, estimates.fromRows - known);
    return this.#store.read(wholeScope(scope), async ({ memoryIndex }) => {
      const lists = await memoryIndex.pages(unread, model);
      const stored = lists.flat().reduce((sum, { count }) => sum + count, 0);
      if (stored < wanted && (await memoryIndex.count(unread, wanted)) < wanted) return undefined;
      return new Map(unread.map((partition, place) => [partition, lists[place] ?? []]));
    });
  }

  /** Returns the cached state of a partition if it has this revision. An empty partition needs no cache. */
  #current(scope: Scope, partition: Partition, revision: number): Segment | undefined {
    if (revision === 0) return new Segment(0);
    const key = `${scope.tenantId}\n${partitionKey(partition)}`;
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.segment.upTo < revision || Date.now() - entry.refreshedAt >= maxIdleMs)
      return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, { ...entry, refreshedAt: Date.now() });
    this.#loadAll(key, scope, partition, entry.segment);
    return entry.segment;
  }

  /**
   * Returns the current state of the partition; undefined if it is too large. Concurrent callers share one refresh if
   * it began after they called. With `signsOnly`, a partition that is not cached is read without vectors, which follow later. `head` is
   * a revision it had before.
   */
  async get(scope: Scope, partition: Partition, start: Partial<Start> = {}): Promise<Segment | undefined> {
    const key = `${scope.tenantId}\n${partitionKey(partition)}`;
    const before = this.#refreshing.get(key);
    if (before !== undefined) await before.catch(() => undefined);
    const running = this.#refreshing.get(key);
    if (running !== undefined) return running;
    const refresh = this.#refresh(key, scope, partition, start).finally(() => this.#refreshing.delete(key));
    this.#refreshing.set(key, refresh);
    return refresh;
  }

  /** Drops cached data of a partition, or of the whole tenant: nothing may remain after an erasure. */
  drop(tenantId: string, partition?: Partition): void {
    if (partition !== undefined) this.#entries.delete(`${tenantId}\n${partitionKey(partition)}`);
    else for (const key of this.#entries.keys()) if (key.startsWith(`${tenantId}\n`)) this.#entries.delete(key);
  }

  /**
   * Drops segments that would be read from the start anyway: data erased on another node must not remain where nobody
   * reads it.
   */
  dropIdle(): void {
    const before = Date.now() - maxIdleMs;
    for (const [key, { refreshedAt }] of this.#entries) if (refreshedAt <= before) this.#entries.delete(key);
  }

  async #refresh(key: string, scope: Scope, partition: Partition, start: Partial<Start>): Promise<Segment | undefined> {
    const { maxMemories, pageRows, model, onLarge } = this.#options;
    const found = this.#entries.get(key);
    const known = found !== undefined && Date.now() - found.refreshedAt < maxIdleMs ? found : undefined;
    const segment = known?.segment ?? new Segment(model?.dimension ?? 0);
    const held = await this.#store.read(wholeScope(scope), async (tables) => {
      const read = (from: Partial<Start> & { maxMemories?: number }) =>
        readOn(tables.memoryIndex, segment, partition, { ...from, pageRows }, model);
      if (known !== undefined) return read({});
      if (Number.isFinite(maxMemories) && (await tables.largePartitions.isIndexed(partition))) return false;
      return read({ head: 0, ...start, maxMemories });
    });
    this.#entries.delete(key);
    if (!held) return undefined;
    const isLarge = segment.count > soonLarge * maxMemories;
    if (isLarge && !known?.reportedLarge) onLarge(scope.tenantId, partition);
    // A segment that has grown past the limit is used for the last time.
    if (segment.count <= maxMemories)
      this.#entries.set(key, { segment, refreshedAt: Date.now(), reportedLarge: isLarge });
    this.#evict();
    this.#loadAll(key, scope, partition, segment);
    return segment;
  }

  #loadAll(key: string, scope: Scope, partition: Partition, segment: Segment): void {
    this.#vectors.loadAll(wholeScope(scope), partition, segment, () => this.#entries.get(key)?.segment === segment);
  }

  /** The most recently used segment stays, however large. */
  #evict(): void {
    let bytes = this.bytes;
    for (const [key, { segment }] of this.#entries) {
      if (bytes <= this.#options.maxBytes || this.#entries.size === 1) return;
      this.#entries.delete(key);
      bytes -= segment.bytes;
    }
  }
}

/** A segment is shared by all who may read the partition, so it has all rows. Texts are fetched in the caller's own scope. */
export function wholeScope(scope: Scope): Scope {
  return { ...scope, noteOwners: undefined };
}
