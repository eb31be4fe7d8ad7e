import type { Memory, Partition } from '../../../ports/memories.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { type Explanation, type Ranked, rank } from './rank.js';
import { type RecallInput, searchScope } from './search-scope.js';

export interface Recalled {
  memory: Memory;
  /** 0 … 1, comparable within one result list. */
  score: number;
  explanation?: Explanation;
}

/** Returns the memories that match best, best first. Leaves out memories that match neither by word nor by meaning. */
export async function recall(engine: Engine, caller: Caller, input: RecallInput): Promise<Recalled[]> {
  const found = await searchScope(engine, caller, input, rank);
  return found === undefined ? [] : fetchRanked(engine, caller, found.partitions, found.ranked, input.explain ?? false);
}

export async function fetchRanked(
  engine: Engine,
  caller: Caller,
  partitions: readonly Partition[],
  ranked: readonly Ranked[],
  explain: boolean,
): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const fetched = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all(
      partitions.map((partition, number) => {
        const seqs = ranked.filter((one) => one.segmentNumber === number).map(({ seq }) => seq);
        return seqs.length === 0 ? new Map<number, Memory>() : tables.memoryIndex.fetch(partition, seqs);
      }),
    ),
  );
  return ranked.flatMap(({ segmentNumber, seq, score, explanation }) => {
    const memory = fetched[segmentNumber]?.get(seq);
    return memory === undefined ? [] : [{ memory, score, ...(explain ? { explanation } : {}) }];
  });
}
