/** What facts say about a memory that they are based on. Times are in milliseconds. */
export interface MemoryMark {
  /** From then on nothing is true that the memory says; null if no end is known. */
  overFrom: number | null;
  /** The facts that are over at some time, the one that ends first at the front. `by` is the fact that takes its place. */
  over: readonly { at: number; by: string | null }[];
  /** More trusted facts that contradict an unconfirmed one, and when. `to` is exclusive. */
  disputes: readonly { by: string; from: number; to: number | null }[];
}

/** A mark as ranking reads it. NaN stands for a time that is not known. */
export interface RowMark {
  revision: number;
  /** The user whose facts these are, and who owns the memory. Nobody else learns of the mark. */
  owner: string;
  /** When the first of its facts began. */
  trueFrom: number;
  overFrom: number;
  /** From then on a part of what it says is not true. */
  partlyFrom: number;
  isDisputed: boolean;
}

/** Stands for the end of what was never true. */
export const neverTrue = Date.parse('0001-01-01T00:00:00Z');
