import type { MemoryFilter, Partition } from './memories.js';
import type { IndexRows } from './memory-index.js';

interface VectorModel {
  name: string;
  dimension: number;
}

/** A partition with an index of its own, in whatever state that is. */
export interface LargePartition {
  tenantId: string;
  partition: Partition;
  /** Memories that are in the index. */
  count: number;
  /** The first filling is complete. */
  isReady: boolean;
  centroid: { model: string; count: number } | null;
}

/** An index of the vectors of one partition and model. */
export interface VectorIndex {
  tenantId: string;
  partition: Partition;
  model: VectorModel;
}

export interface PartitionStatistics {
  /** What has expired and was not removed yet is counted too. */
  count: number;
  totalTerms: number;
  /** By hash; a term that is not there does not occur. */
  frequencies: ReadonlyMap<number, number>;
  /** See `setCentroid`; null when it is not known for this model. */
  centroid: Float32Array | null;
  /** Memories that are not in the index yet: they are found all the same, only more slowly. */
  unindexed: number;
}

/** What a candidate has to satisfy: the filter, within one of the times if any are given, and not expired at `now`. */
export interface Narrowing {
  filter: MemoryFilter;
  within?: readonly { from: Date; to: Date }[] | undefined;
  now: Date;
}

export interface WordQuery {
  terms: readonly { hash: number; weight: number; isLabel: boolean }[];
  averageTerms: number;
  k1: number;
  b: number;
}

export interface CandidateRows {
  /** Ascending by revision. */
  rows: IndexRows;
  /** 1 for rows that satisfy the narrowing; the others are only there as neighbours. */
  fits: Uint8Array;
  /** Cosine of each row with the query, NaN without a vector; undefined when no query was given. */
  cosines: Float32Array | undefined;
  /** By `seq`: the row before and after in the same session, as far as they were looked up. */
  previous: ReadonlyMap<number, number>;
  next: ReadonlyMap<number, number>;
}

/**
 * Partitions that are too large to be ranked in memory. Only partitions the transaction may see give anything. What is
 * found is exact in its words and the vectors of candidates; which candidates are nearest by vector is approximate.
 */
export interface LargePartitions {
  /** True once its index is ready, or when it has more than `maxMemories`. */
  isLarge(partition: Partition, maxMemories: number): Promise<boolean>;
  statistics(partition: Partition, hashes: readonly number[], model: VectorModel | null): Promise<PartitionStatistics>;
  /** `seq` of all memories that satisfy the narrowing, or undefined when those are more than `limit`. */
  few(partition: Partition, narrowing: Narrowing, limit: number): Promise<number[] | undefined>;
  /** `seq` of the best by BM25, best first. Goes on until there are `limit` that satisfy the narrowing. */
  findByWords(partition: Partition, query: WordQuery, narrowing: Narrowing, limit: number): Promise<number[]>;
  /** `seq` of the nearest, about nearest first. Goes on as `findByWords`, as far as the vector index can. */
  findByVector(
    partition: Partition,
    query: { vector: Float32Array; model: VectorModel },
    narrowing: Narrowing,
    limit: number,
  ): Promise<number[]>;
  /** These rows with their neighbours, two before and two after in the session. With a query vectors are left out and cosines given. */
  rows(
    partition: Partition,
    seqs: readonly number[],
    narrowing: Narrowing,
    vectors: { model: VectorModel | null; query: Float32Array | undefined },
  ): Promise<CandidateRows>;

  /** Adds up to `limit` memories to the index, making it if there is none, and answers how many. Needs the partition's lock. */
  index(partition: Partition, limit: number): Promise<number>;
  /** How far the index is; undefined where there is none. */
  progress(partition: Partition): Promise<LargePartition | undefined>;
  /** About `limit` rows with vectors of the model, evenly over the order of arrival. */
  sample(partition: Partition, limit: number, model: VectorModel): Promise<IndexRows>;
  /** Keeps the mean of the partition's vectors as ranking weighs them. Queued. */
  setCentroid(partition: Partition, centroid: { model: string; vector: Float32Array; count: number }): void;
  /** Drops the index; the memories stay. Needs the partition's lock. Queued. */
  drop(partition: Partition): void;
}
