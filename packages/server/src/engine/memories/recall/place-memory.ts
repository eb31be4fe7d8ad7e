import { type Memory, type MemoryFilter, partitionKey } from '../../../ports/memories.js';
import type { MemoryMark } from '../../../ports/memory-marks.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { toFilter } from '../memory-query.js';
import { partitionsOf } from '../scope-partitions.js';
import { placeRow, type RowPlace } from './place-row.js';
import { indexAt, type RecallInput, searchScope, withinTime } from './search-scope.js';

export type FilterName = keyof MemoryFilter;

/** Why a memory is not even ranked, or where it stands. */
type MemoryPlace =
  /** `scope`: it is not in the scope, or not among those that are wanted of its partition. */
  | { keptOutBy: readonly (FilterName | 'scope')[] }
  /** `mark` is what facts say about it, if they play a part. The row is ranked as if everything were shown that is no longer true. */
  | { keptOutBy: readonly []; row: RowPlace; mark: MemoryMark | null };

/**
 * Recalls, and returns where one memory stands, whether or not it is among the best. `finder` is the caller with everything it may
 * read: the scope may be narrower. Returns undefined if there is no such memory.
 */
export async function placeMemory(
  engine: Engine,
  { finder, caller }: { finder: Caller; caller: Caller },
  input: RecallInput,
  { id, partition, userId }: Pick<Memory, 'id' | 'partition' | 'userId'>,
): Promise<MemoryPlace | undefined> {
  const key = partitionKey(partition);
  const filter = withinTime(toFilter(input.filter), input.truth?.asOf);
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  const filters = [input.partitionFilters?.get(key) ?? {}, ...conditions.map(([name, value]) => ({ [name]: value }))];
  const found = await engine.store.read(scopeOf(finder), (tables) =>
    indexAt(tables, input.truth?.knownAt, engine.clock.now().getTime()).locate(partition, id, filters),
  );
  if (found === undefined) return undefined;
  const [isWanted, ...matches] = found.matches;
  const isInScope = isWanted && partitionsOf(caller, input.scope).some((one) => partitionKey(one) === key);
  const failed = conditions.filter((_, number) => !matches[number]).map(([name]) => name as FilterName);
  const keptOutBy = [...(isInScope ? [] : ['scope' as const]), ...failed];
  if (keptOutBy.length > 0) return { keptOutBy };
  const searched = await searchScope(
    engine,
    caller,
    { ...input, truth: input.truth && { ...input.truth, includeSuperseded: true } },
    (rows, partitions) => {
      const number = partitions.findIndex((one) => partitionKey(one) === key);
      return placeRow(rows, number, found.seq);
    },
    { partition, seq: found.seq },
  );
  const row = searched?.ranked;
  return row && { keptOutBy: [], row, mark: input.truth?.userId === userId ? found.mark : null };
}
