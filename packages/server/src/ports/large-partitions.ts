import type { MemoryFilter, Partition } from './memories.js';
import type { IndexRows } from './memory-index.js';

interface VectorModel {
  name: string;
  dimension: number;
}

/** A partition with its own index, in whatever state that index is. */
export interface LargePartition {
  tenantId: string;
  partition: Partition;
  /** Memories in the index. */
  count: number;
  /** Whether the first fill is complete. */
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
  /** Includes memories that have expired but were not removed yet. */
  count: number;
  totalTerms: number;
  /** By hash; a missing term does not occur. */
  frequencies: ReadonlyMap<number, number>;
  /** See `setCentroid`; null if it is not known for this model. */
  centroid: Float32Array | null;
  /** Memories that are not in the index yet. They are still found, only more slowly. */
  unindexed: number;
}

/**
 * Conditions on candidates: they match the filter, fall within one of the time ranges if any are given, and are not
 * expired at `now`.
 */
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
  /** 1 for rows that match the narrowing; the others are only included as neighbours. */
  fits: Uint8Array;
  /** Cosine of each row with the query, NaN for rows without a vector; undefined if no query was given. */
  cosines: Float32Array | undefined;
  /** By `seq`: the previous and next row in the same session, if they were looked up. */
  previous: ReadonlyMap<number, number>;
  next: ReadonlyMap<number, number>;
}

/**
 * Partitions that are too large to be ranked in memory. Partitions that the transaction may not see give no results.
 * Word matches and the cosines of candidates are exact; the choice of nearest candidates by vector is approximate.
 */
export interface LargePartitions {
  /** Returns whether the partition has an index that is ready. */
  isIndexed(partition: Partition): Promise<boolean>;
  statistics(partition: Partition, hashes: readonly number[], model: VectorModel | null): Promise<PartitionStatistics>;
  /** Returns the `seq` of all memories that match the narrowing, or undefined if there are more than `limit`. */
  few(partition: Partition, narrowing: Narrowing, limit: number): Promise<number[] | undefined>;
  /**
   * Returns the `seq` of the best matches by BM25, best first. Continues until `limit` memories match the narrowing.
   */
  findByWords(partition: Partition, query: WordQuery, narrowing: Narrowing, limit: number): Promise<number[]>;
  /**
   * Returns the `seq` of the nearest memories, approximately nearest first. Continues like `findByWords`, as far as the
   * vector index allows.
   */
  findByVector(
    partition: Partition,
    query: { vector: Float32Array; model: VectorModel },
    narrowing: Narrowing,
    limit: number,
  ): Promise<number[]>;
  /**
   * Returns these rows with their neighbours, two before and two after in the session. With a query, vectors are
   * omitted and cosines are given.
   */
  rows(
    partition: Partition,
    seqs: readonly number[],
    narrowing: Narrowing,
    vectors: { model: VectorModel | null; query: Float32Array | undefined },
  ): Promise<CandidateRows>;

  /**
   * Adds up to `limit` memories to the index, creating it if needed. Returns how many. Requires the partition's lock.
   */
  index(partition: Partition, limit: number): Promise<number>;
  /** Returns the progress of the index; undefined if there is none. */
  progress(partition: Partition): Promise<LargePartition | undefined>;
  /** Returns about `limit` rows with vectors of the model, spread evenly over the order of arrival. */
  sample(partition: Partition, limit: number, model: VectorModel): Promise<IndexRows>;
  /** Stores the mean of the partition's vectors, weighted as in ranking. Queued. */
  setCentroid(partition: Partition, centroid: { model: string; vector: Float32Array; count: number }): void;
  /** Drops the index; the memories stay. Requires the partition's lock. Queued. */
  drop(partition: Partition): void;
}
