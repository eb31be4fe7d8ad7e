import type { Memory, MemoryFilter, Partition } from './memories.js';

/** Rows of one partition as columns, ascending by revision: what recall needs to rank them, and no text. */
export interface IndexRows {
  count: number;
  revisions: Float64Array;
  /** Order of arrival. */
  seqs: Float64Array;
  /** Milliseconds; NaN where there is none. */
  occurredAt: Float64Array;
  expiresAt: Float64Array;
  pinned: Uint8Array;
  traits: Int32Array;
  termCounts: Int32Array;
  kinds: string[];
  /** '' where there is none. */
  sessionIds: string[];
  agentIds: string[];
  /** Packed terms of all rows, one after another, and where each row's begin; one more entry than rows. */
  terms: Uint8Array;
  termOffsets: Int32Array;
  /** `dimension` numbers a row; a row without a vector of the wanted model has zeros and is not in `embedded`. */
  vectors: Float32Array;
  embedded: Uint8Array;
}

export interface IndexPage {
  rows: IndexRows;
  /** Revisions to drop. Some may be unknown to the reader. */
  removed: number[];
  /** Where to read on from; equal to what was asked for when there is nothing new. */
  upTo: number;
  /** False: read on before using it. */
  complete: boolean;
}

/** Reads partitions incrementally. Only partitions the transaction may see give anything. */
export interface MemoryIndex {
  /** What changed after revision `after`, at most `limit` rows. Vectors of other models than `model` are left out. */
  changes(
    partition: Partition,
    range: { after: number; limit: number },
    model: { name: string; dimension: number } | null,
  ): Promise<IndexPage>;
  /** Memories of a partition by their order of arrival, which no change alters; those that are gone are left out. */
  fetch(partition: Partition, seqs: readonly number[]): Promise<Map<number, Memory>>;
  /** The `seq` of the partition's rows that satisfy conditions, among them such as the columns above cannot tell. */
  matching(partition: Partition, filter: MemoryFilter): Promise<Float64Array>;
  /** Drops notes of removals made before a moment; readers older than that must read anew. Queued. Operators only. */
  forgetRemovals(before: Date): void;
  /** When the namespace of the partition expires: undefined for none, or when it has no such time. */
  expiryOf(partition: Partition): Promise<Date | undefined>;
}
