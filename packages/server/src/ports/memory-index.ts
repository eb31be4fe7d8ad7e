import type { Memory, MemoryFilter, Partition } from './memories.js';

/** Rows of one partition as columns, ascending by revision: the data recall needs to rank them, without text. */
export interface IndexRows {
  count: number;
  revisions: Float64Array;
  /** Order of arrival. */
  seqs: Float64Array;
  /** Milliseconds; NaN if there is none. */
  occurredAt: Float64Array;
  expiresAt: Float64Array;
  pinned: Uint8Array;
  traits: Int32Array;
  termCounts: Int32Array;
  kinds: string[];
  /** '' if there is none. */
  sessionIds: string[];
  agentIds: string[];
  /** Packed terms of all rows, one after another, and the offset of each row's terms; one more entry than rows. */
  terms: Uint8Array;
  termOffsets: Int32Array;
  /**
   * `dimension` numbers per row. A row without a vector of the wanted model has zeros and is not marked in `embedded`.
   */
  vectors: Float32Array;
  embedded: Uint8Array;
}

export interface IndexPage {
  rows: IndexRows;
  /** Revisions to drop. The reader may not have all of them. */
  removed: number[];
  /** Revision to continue from; equal to `after` if nothing is new. */
  upTo: number;
  /** False if there is more to read before the result may be used. */
  complete: boolean;
}

/** How far a partition has come. */
export interface PartitionHead {
  /** Revision of the last change; 0 if there is none. */
  revision: number;
  /** When the partition's namespace expires; null if it has no namespace or the namespace does not expire. */
  expiresAt: Date | null;
}

/** Reads partitions incrementally. Partitions that the transaction may not see give no results. */
export interface MemoryIndex {
  /**
   * Returns the changes after revision `after`, at most `limit` rows. Vectors of models other than `model` are omitted.
   */
  changes(
    partition: Partition,
    range: { after: number; limit: number },
    model: { name: string; dimension: number } | null,
  ): Promise<IndexPage>;
  /** Returns memories of a partition by arrival number, which never changes; deleted memories are skipped. */
  fetch(partition: Partition, seqs: readonly number[]): Promise<Map<number, Memory>>;
  /**
   * Returns the `seq` of the partition's rows that match the filter, including conditions that the columns above cannot
   * express.
   */
  matching(partition: Partition, filter: MemoryFilter): Promise<Float64Array>;
  /**
   * Returns when the first and the last memory of each session took place, among the partition's rows that match the filter and
   * have not expired at `now`. Sessions without such rows are missing.
   */
  sessionSpans(
    partition: Partition,
    sessionIds: readonly string[],
    condition: { filter: MemoryFilter; now: Date },
  ): Promise<Map<string, { from: Date; to: Date }>>;
  /**
   * Drops records of removals made before a time; readers older than that must start over. Queued. Operator
   * transactions only.
   */
  forgetRemovals(before: Date): void;
  /** Returns the heads of partitions, in their order. */
  heads(partitions: readonly Partition[]): Promise<PartitionHead[]>;
}
