import type { LargePartition } from '../../../ports/large-partitions.js';
import type { Partition } from '../../../ports/memories.js';
import type { Scope } from '../../../ports/store.js';
import { maintain } from '../../audit/maintain.js';
import type { Engine } from '../../engine.js';
import { writeDerived, writerScopeOf } from '../index/write-derived.js';
import { heldBack, holdBackOf } from './hold-back.js';

/** Memories added per transaction: limits how long writers of the partition wait. */
const batchSize = 500;
const sampleSize = 2000;
/** The mean of the vectors is recomputed after the partition has grown or shrunk by this share. */
const centroidDrift = 0.1;
/** A partition that has shrunk to this share of the in-memory limit loses its index. */
const smallAgain = 0.5;

/** Updates the index of a partition, creating it if needed. Serialized with writers. */
export async function indexPartition(
  engine: Engine,
  tenantId: string,
  partition: Partition,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const added = await writeDerived(engine, tenantId, partition, ({ largePartitions }) =>
      largePartitions.index(partition, batchSize),
    );
    if (added < batchSize) break;
  }
  await refreshCentroid(engine, writerScopeOf(tenantId, partition), partition);
}

/** Updates all indexes, and drops those of partitions that have become small again. */
export async function tendLargePartitions(engine: Engine, signal?: AbortSignal): Promise<void> {
  for (const { tenantId, partition, count, isReady } of await engine.store.largePartitions()) {
    if (!isReady || count > smallAgain * engine.segments.maxMemories) {
      await indexPartition(engine, tenantId, partition, signal);
      continue;
    }
    await writeDerived(engine, tenantId, partition, async ({ largePartitions }) => largePartitions.drop(partition));
  }
  const { model } = engine.segments;
  const kept = model === null ? [] : await engine.store.largePartitions();
  signal?.throwIfAborted();
  await engine.store.arrangeVectorIndexes(
    kept.flatMap(({ tenantId, partition }) => (model === null ? [] : [{ tenantId, partition, model }])),
    signal,
  );
}

/**
 * Updates the partition's centroid: the product of a query with it is the mean cosine of the query with the partition's
 * memories.
 */
async function refreshCentroid(engine: Engine, scope: Scope, partition: Partition): Promise<void> {
  const { model } = engine.segments;
  if (model === null) return;
  const progress = await engine.store.read(scope, (tables) => tables.largePartitions.progress(partition));
  if (progress === undefined || !isDrifted(progress, model.name)) return;
  const rows = await engine.store.read(scope, (tables) => tables.largePartitions.sample(partition, sampleSize, model));
  if (rows.count === 0) return;
  const averageTerms = rows.termCounts.reduce((sum, terms) => sum + terms, 0) / rows.count;
  const holdBack = holdBackOf(averageTerms, engine.recallWeights);
  const vector = new Float32Array(model.dimension);
  for (let row = 0; row < rows.count; row++) {
    const share = heldBack(1, rows.termCounts[row] ?? 0, holdBack) / rows.count;
    for (let index = 0; index < model.dimension; index++)
      vector[index] = (vector[index] ?? 0) + share * (rows.vectors[row * model.dimension + index] ?? 0);
  }
  await maintain(engine, scope, async (tables) =>
    tables.largePartitions.setCentroid(partition, { model: model.name, vector, count: progress.count }),
  );
}

function isDrifted({ count, centroid }: LargePartition, model: string): boolean {
  if (centroid?.model !== model) return true;
  return Math.abs(count - centroid.count) > centroidDrift * centroid.count;
}
