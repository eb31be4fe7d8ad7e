import type { Memory, MemoryFilter, Partition } from './memories.js';
import type { MemoryMark, RowMark } from './memory-marks.js';

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
   * `dimension` numbers per row; none if only signs were read. A row without a vector of the wanted model has zeros and is not
   * marked in `embedded`.
   */
  vectors: Float32Array;
  /**
   * If only signs were read: for each row, one bit per dimension in whole bytes, the first dimension in the highest bit of the first
   * byte. It is set if the vector is positive there.
   */
  signs: Uint8Array | null;
  embedded: Uint8Array;
  /** Of the few rows that have one. */
  marks: readonly RowMark[];
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

/** A memory, and what facts say about it. */
export interface MarkedMemory {
  memory: Memory;
  /** null if there is nothing to say. Only the owner of the memory may learn of it. */
  mark: MemoryMark | null;
}

/** The rows of a partition with a revision after `after` and up to `upTo`. */
interface PageRange {
  after: number;
  upTo: number;
}

/** A part of a partition whose columns are stored together. */
export interface StoredPage extends PageRange {
  count: number;
}

/** Vectors of some rows, ascending by revision. */
export interface VectorPage {
  revisions: Float64Array;
  /** `dimension` numbers per row. */
  vectors: Float32Array;
}

/** How far a partition has come. */
interface PartitionHead {
  /** Revision of the last change; 0 if there is none. */
  revision: number;
  /** When the partition's namespace expires; null if it has no namespace or the namespace does not expire. */
  expiresAt: Date | null;
}

/** Reads memories as they were at a time. Memories that were removed or have expired since were never there. */
export type MemoryIndexThen = Pick<MemoryIndex, 'changes' | 'fetch' | 'matching' | 'locate' | 'sessionSpans'>;

/** Reads partitions incrementally. Partitions that the transaction may not see give no results. */
export interface MemoryIndex {
  /** Returns the same for an earlier time. Marks follow from what the facts of the transaction's user said by then. */
  at(times: { knownAt: Date; now: Date }): MemoryIndexThen;
  /**
   * Returns the changes after revision `after`, at most `limit` rows. Vectors of models other than `model` are omitted. With
   * `signsOnly`, the signs of the vectors are returned instead of the vectors. For a transaction that reads from the start,
   * `startedAt` is a revision that was the last one before: no removal concerns its rows, so removals are omitted. With `until`, later
   * rows are left out, and the result is not complete.
   */
  changes(
    partition: Partition,
    range: { after: number; limit: number; signsOnly: boolean; startedAt?: number; until?: number | undefined },
    model: { name: string; dimension: number } | null,
  ): Promise<IndexPage>;
  /** Lists the stored pages of partitions, in their order, each list ascending. */
  pages(partitions: readonly Partition[], model: { name: string }): Promise<StoredPage[][]>;
  /** Returns what `changes` would with `signsOnly`, from a stored page. Undefined if the page is no longer there. */
  page(
    partition: Partition,
    range: PageRange,
    model: { name: string; dimension: number },
  ): Promise<IndexPage | undefined>;
  /**
   * Stores a page of the next `limit` rows after a revision, or of fewer if they are all up to `until`. Returns false, and stores
   * nothing, if there are fewer. Only under the lock of those who write to the partition: a row that is being removed would remain.
   */
  keepPage(
    partition: Partition,
    range: { after: number; until: number | null; limit: number },
    model: { name: string },
  ): Promise<boolean>;
  /** Returns vectors of a partition: of rows by arrival number, or of the next rows after a revision. Rows without one are skipped. */
  vectors(
    partition: Partition,
    wanted: { seqs: readonly number[] } | { after: number; limit: number },
    model: { name: string; dimension: number },
  ): Promise<VectorPage>;
  /** Returns the number of memories in partitions together; `atMost` if there are more. */
  count(partitions: readonly Partition[], atMost: number): Promise<number>;
  /** Returns memories of a partition by arrival number, which never changes; deleted memories are skipped. */
  fetch(partition: Partition, seqs: readonly number[]): Promise<Map<number, MarkedMemory>>;
  /**
   * Returns the `seq` of the partition's rows that match the filter, including conditions that the columns above cannot
   * express.
   */
  matching(partition: Partition, filter: MemoryFilter): Promise<Float64Array>;
  /**
   * Returns the `seq` and the mark of a memory and, for each filter, whether the memory matches it. Returns undefined if it is not in
   * the partition.
   */
  locate(
    partition: Partition,
    id: string,
    filters: readonly MemoryFilter[],
  ): Promise<{ seq: number; matches: boolean[]; mark: MemoryMark | null } | undefined>;
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
