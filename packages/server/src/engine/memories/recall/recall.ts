import type { Memory } from '../../../ports/memories.js';
import type { MarkedMemory } from '../../../ports/memory-index.js';
import type { MemoryMark } from '../../../ports/memory-marks.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { type Explanation, type Ranked, rank } from './rank.js';
import { type Reranked, rerank, toRerank } from './rerank.js';
import { type RecallInput, type SearchedScope, searchScope } from './search-scope.js';
import { timeStage } from './time-stage.js';

export interface Recalled {
  memory: Memory;
  /** 0 … 1, comparable within one result list. */
  score: number;
  explanation?: Explanation;
  /** What the reranker did with it, if it is explained. */
  reranked?: Reranked;
  /** What facts say about it, if they play a part. */
  mark?: MemoryMark;
  /** It is no longer true and not to be shown. It comes after all others, for what took its place. */
  isHidden?: true;
}

/** Returns the memories that match best, best first. Leaves out memories that match neither by word nor by meaning. */
export async function recall(engine: Engine, caller: Caller, input: RecallInput): Promise<Recalled[]> {
  const found = await searchScope(engine, caller, { ...input, limit: toRerank(engine, input) }, rank);
  if (found === undefined) return [];
  const fetched = await timeStage(engine, 'fetch', () =>
    fetchRanked(engine, caller, found, found.ranked, input.explain ?? false),
  );
  if (engine.reranking === null) return fetched;
  return timeStage(engine, 'rerank', () => rerank(engine, input, fetched));
}

export async function fetchRanked(
  engine: Engine,
  caller: Caller,
  { partitions, truth, indexOf }: Pick<SearchedScope<unknown>, 'partitions' | 'truth' | 'indexOf'>,
  ranked: readonly Ranked[],
  explain: boolean,
): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const fetched = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all(
      partitions.map((partition, number) => {
        const seqs = ranked.filter((one) => one.segmentNumber === number).map(({ seq }) => seq);
        return seqs.length === 0 ? new Map<number, MarkedMemory>() : indexOf(tables).fetch(partition, seqs);
      }),
    ),
  );
  return ranked.flatMap(({ segmentNumber, seq, score, explanation, isHidden }) => {
    const found = fetched[segmentNumber]?.get(seq);
    if (found === undefined) return [];
    const { memory, mark } = found;
    const isJudged = mark !== null && truth?.userId === memory.userId;
    const shown = { memory, score, ...(explain ? { explanation } : {}), ...(isJudged ? { mark } : {}) };
    return [isHidden ? { ...shown, isHidden } : shown];
  });
}
