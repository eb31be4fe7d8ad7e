import { type Memory, type MemoryFilter, type Partition, partitionKey } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { checkLimit, toFilter } from './memory-query.js';
import { type MemoryScope, partitionsOf } from './scope-partitions.js';

interface ListInput {
  scope: MemoryScope;
  filter?: MemoryFilter | undefined;
  /** Further conditions on the memories of single partitions, by `partitionKey`. */
  partitionFilters?: ReadonlyMap<string, MemoryFilter> | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Lists memories, newest first by arrival. */
export async function listMemories(engine: Engine, caller: Caller, input: ListInput): Promise<Page<Memory>> {
  checkLimit(input.limit);
  const filter = toFilter(input.filter);
  const before = input.cursor === undefined ? undefined : toSeq(input.cursor);
  const page = { before, limit: input.limit + 1, now: engine.clock.now() };
  const partitions = partitionsOf(caller, input.scope);
  const ownFilter = (partition: Partition) => input.partitionFilters?.get(partitionKey(partition));
  const lists = await engine.store.read(scopeOf(caller), ({ memories }) =>
    Promise.all([
      memories.list(
        partitions.filter((partition) => ownFilter(partition) === undefined),
        filter,
        page,
      ),
      ...partitions.flatMap((partition) => {
        const own = ownFilter(partition);
        return own === undefined ? [] : [memories.list([partition], { ...filter, ...own }, page)];
      }),
    ]),
  );
  const rows = lists.flat().sort((one, other) => (one.seq < other.seq ? 1 : -1));
  const { items, nextCursor } = toPage(rows, input.limit, ({ seq }) => [seq.toString()]);
  return { items: items.map(({ memory }) => memory), nextCursor };
}

function toSeq(cursor: string): bigint {
  const [position = ''] = decodeCursor(cursor, 1, /^\d{1,18}$/);
  return BigInt(position);
}
