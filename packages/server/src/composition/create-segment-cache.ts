import { totalmem } from 'node:os';
import type { Config } from '../config/settings.js';
import { bytesPerMemory, SegmentCache } from '../engine/memories/index/segment-cache.js';
import type { Embedder } from '../ports/embedder.js';
import type { Partition } from '../ports/memories.js';
import type { Store } from '../ports/store.js';
import type { Database } from '../store/database.js';

const mebibyte = 1024 * 1024;
/** Beyond it PostgreSQL answers sooner with an index than a scan of the partition does. */
const mostResident = 150_000;

/** The embedded database is too slow at searching by itself: there every partition is ranked in memory. */
export function createSegmentCache(
  config: Config,
  database: Database,
  store: Store,
  embedder: Embedder | null,
  onLarge: (tenantId: string, partition: Partition) => void,
): SegmentCache {
  const maxBytes = (config.recallCacheMegabytes || fittingMegabytes(availableMegabytes())) * mebibyte;
  const fitting = Math.floor(maxBytes / bytesPerMemory(embedder?.dimension ?? 0));
  const resident = config.recallResidentMemories || Math.min(fitting, mostResident);
  return new SegmentCache(store, {
    maxBytes,
    maxMemories: database.kind === 'embedded' ? Number.POSITIVE_INFINITY : resident,
    model: embedder && { name: embedder.model, dimension: embedder.dimension },
    onLarge,
  });
}

/** A container's limit, where there is one; without one the figure is absent or beyond the machine's. */
function availableMegabytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem()) / mebibyte;
}

export function fittingMegabytes(available: number): number {
  return Math.round(Math.min(2048, Math.max(128, available / 8)));
}
