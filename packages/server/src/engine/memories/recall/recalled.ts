import type { Memory } from '../../../ports/memories.js';
import type { MemoryMark } from '../../../ports/memory-marks.js';
import type { Explanation } from './rank.js';

export interface Recalled {
  memory: Memory;
  /** 0 … 1, comparable within one result list. */
  score: number;
  explanation?: Explanation;
  /** Its place before the reranker, from 1, and what the model says: null if it did not answer in time. Only if it is explained. */
  reranked?: { place: number; relevance: number | null };
  /** What facts say about it, if they play a part. */
  mark?: MemoryMark;
  /** It is no longer true and not to be shown. It comes after all others, for what took its place. */
  isHidden?: true;
  /** The query asks what changed, and this did: what took its place belongs beside it. */
  isChange?: true;
}
