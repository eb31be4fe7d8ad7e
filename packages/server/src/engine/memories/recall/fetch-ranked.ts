import type { MarkedMemory } from '../../../ports/memory-index.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import type { Ranked } from './rank.js';
import type { Recalled } from './recalled.js';
import type { SearchedScope } from './search-scope.js';

/** Reads what was ranked, in its order. What is gone meanwhile is left out. */
export async function fetchRanked(
  engine: Engine,
  caller: Caller,
  { partitions, truth, indexOf }: Pick<SearchedScope<unknown>, 'partitions' | 'truth' | 'indexOf'>,
  ranked: readonly Ranked[],
  explain: boolean,
): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const fetched = await fetchRows(engine, caller, { partitions, indexOf }, ranked);
  return ranked.flatMap(({ segmentNumber, seq, score, explanation, isHidden, isChange }) => {
    const found = fetched[segmentNumber]?.get(seq);
    if (found === undefined) return [];
    const { memory, mark } = found;
    const isJudged = mark !== null && truth?.userId === memory.userId;
    const shown = {
      ...{ memory, score, ...(explain ? { explanation } : {}), ...(isJudged ? { mark } : {}) },
      ...(isChange ? { isChange } : {}),
    };
    return [isHidden ? { ...shown, isHidden } : shown];
  });
}

/** Reads what was ranked: by segment number, then by `seq`. */
export async function fetchRows(
  engine: Engine,
  caller: Caller,
  { partitions, indexOf }: Pick<SearchedScope<unknown>, 'partitions' | 'indexOf'>,
  ranked: readonly Ranked[],
): Promise<ReadonlyMap<number, MarkedMemory>[]> {
  return engine.store.read(scopeOf(caller), (tables) =>
    Promise.all(
      partitions.map((partition, number) => {
        const seqs = ranked.filter((one) => one.segmentNumber === number).map(({ seq }) => seq);
        return seqs.length === 0 ? new Map<number, MarkedMemory>() : indexOf(tables).fetch(partition, seqs);
      }),
    ),
  );
}
