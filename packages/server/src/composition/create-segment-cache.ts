import { totalmem } from 'node:os';
import type { Config } from '../config/settings.js';
import { bytesPerMemory, SegmentCache } from '../engine/memories/index/segment-cache.js';
import type { Embedder } from '../ports/embedder.js';
import type { Partition } from '../ports/memories.js';
import type { Store } from '../ports/store.js';
import type { Database } from '../store/database.js';

const mebibyte = 1024 * 1024;
/** For larger partitions, an indexed search in PostgreSQL is faster than scanning the partition in memory. */
const mostResident = 150_000;

/** For fewer memories, computing every cosine takes little time. */
const estimates = { fromRows: 20_000, exactRows: 2000 };

interface Listeners {
  onLarge(tenantId: string, partition: Partition): void;
  onFault(error: unknown, doing: string): void;
}

/** With the embedded database every partition is ranked in memory, because its own search is too slow. */
export function createSegmentCache(
  config: Config,
  database: Database,
  store: Store,
  embedder: Embedder | null,
  listeners: Listeners,
): SegmentCache {
  const maxBytes = (config.recallCacheMegabytes || fittingMegabytes(availableMegabytes())) * mebibyte;
  const fitting = Math.floor(maxBytes / bytesPerMemory(embedder?.dimension ?? 0));
  const resident = config.recallResidentMemories || Math.min(fitting, mostResident);
  return new SegmentCache(store, {
    maxBytes,
    maxMemories: database.kind === 'embedded' ? Number.POSITIVE_INFINITY : resident,
    pageRows: 2000,
    model: embedder && { name: embedder.model, dimension: embedder.dimension },
    estimates,
    ...listeners,
  });
}

/** Uses the limit of the container if there is one. Without one, Node reports none or more than the machine has. */
function availableMegabytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem()) / mebibyte;
}

export function fittingMegabytes(available: number): number {
  return Math.round(Math.min(2048, Math.max(128, available / 8)));
}
