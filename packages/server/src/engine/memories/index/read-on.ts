import { setImmediate } from 'node:timers/promises';
import type { Partition } from '../../../ports/memories.js';
import type { IndexPage, MemoryIndex, StoredPage } from '../../../ports/memory-index.js';
import type { Segment } from './segment.js';

type Model = { name: string; dimension: number } | null;

/** How a partition that is not cached is read. */
export interface Start {
  signsOnly: boolean;
  /** A revision it had before. */
  head: number;
  /** Of the same model, ascending. Only with `signsOnly`. */
  pages: readonly StoredPage[] | undefined;
}

interface ReadOptions extends Partial<Start> {
  maxMemories?: number;
  /** Rows per statement. */
  pageRows: number;
}

/**
 * Brings a segment up to date. The next page is requested before the current one is applied. Returns false once there are too many
 * memories.
 */
export async function readOn(
  index: MemoryIndex,
  segment: Segment,
  partition: Partition,
  { maxMemories = Number.POSITIVE_INFINITY, ...start }: ReadOptions,
  model: Model,
): Promise<boolean> {
  const read = (after: number) => readNext(index, partition, after, start, model);
  for (let next: Promise<IndexPage> | undefined = read(segment.upTo); next !== undefined; ) {
    const page: IndexPage = await next;
    const isTooMany = segment.count + page.rows.count > maxMemories;
    next = page.complete || isTooMany ? undefined : read(page.upTo);
    if (isTooMany) return false;
    // The request leaves the process when the event loop goes on. If it fails meanwhile, that is noticed above.
    next?.catch(() => undefined);
    if (next !== undefined) await setImmediate();
    segment.apply(page);
  }
  return true;
}

/** Reads a stored page if one begins here, else rows up to the next one. */
async function readNext(
  index: MemoryIndex,
  partition: Partition,
  after: number,
  { signsOnly = false, head, pages = [], pageRows }: ReadOptions,
  model: Model,
): Promise<IndexPage> {
  const startedAt = head === undefined ? {} : { startedAt: head };
  const readRows = (until: number | undefined) =>
    index.changes(partition, { after, limit: pageRows, signsOnly, ...startedAt, until }, model);
  const stored = pages.find((page) => page.after >= after);
  if (model === null || stored?.after !== after) return readRows(stored?.after);
  return (await index.page(partition, stored, model)) ?? readRows(stored.upTo);
}
