import type { Partition } from './memories.js';

/** Memories that may state facts: those of a user in these places, of these kinds. */
export interface ReadableMemories {
  partitions: readonly Partition[];
  kinds: readonly string[];
}

/** A memory that is to be read, without its content. */
export interface UpcomingMemory {
  id: string;
  occurredAt: Date;
  /** Order of arrival. */
  seq: bigint;
}

/**
 * How far the memories of the transaction's user were read for facts that an older version did not learn. Memories are read in the
 * order in which they took place, up to those that had arrived when the reading began.
 */
export interface FactReadings {
  /**
   * Returns the users of the tenant whose reading is not finished, and those without one who had memories when this version came, by
   * id. Operator transactions only.
   */
  open(): Promise<string[]>;
  /** Returns how many memories of the tenant are left in readings that were begun. Operator transactions only. */
  remaining(): Promise<number>;
  /** Begins a reading; without effect if there is one. Queued. */
  begin(memories: ReadableMemories, at: Date): void;
  /** Removes the reading, so that the next one begins with the oldest memory. Queued. */
  reset(): void;
  /** Returns the memories after the last one that was read, oldest first. */
  upcoming(memories: ReadableMemories, limit: number): Promise<UpcomingMemory[]>;
  /** Stores that `count` memories were read, up to this one. Queued. */
  advance(last: UpcomingMemory, count: number): void;
  /** Queued. */
  finish(at: Date): void;
}
