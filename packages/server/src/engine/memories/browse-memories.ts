import { type Memory, type MemoryFilter, type Partition, partitionKey } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type MemoryScope, partitionsOf } from './scope-partitions.js';

interface BrowseInput {
  scope: MemoryScope;
  filter: MemoryFilter;
  /** Further conditions on the memories of single partitions, by `partitionKey`. */
  partitionFilters?: ReadonlyMap<string, MemoryFilter> | undefined;
  limit: number;
}

interface Group {
  partitions: Partition[];
  filter: MemoryFilter;
}

/** Lists memories without a query: pinned first, then newest first. */
export function browseMemories(engine: Engine, caller: Caller, input: BrowseInput): Promise<Memory[]> {
  const groups = groupsOf(partitionsOf(caller, input.scope), input);
  const page = { limit: input.limit, now: engine.clock.now() };
  return engine.store.read(scopeOf(caller), async (tables) => {
    const lists = [true, false].map(async (isPinned) => {
      const found = await Promise.all(groups.map((group) => newestOf(tables, group, isPinned, page)));
      return found.flat().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    });
    return (await Promise.all(lists)).flat().slice(0, input.limit);
  });
}

/** One statement reads the partitions that have the same conditions. */
function groupsOf(partitions: readonly Partition[], { filter, partitionFilters }: BrowseInput): Group[] {
  const groups = new Map<string, Group>();
  for (const partition of partitions) {
    const isNamespace = partition.kind === 'namespace';
    const own = partitionFilters?.get(partitionKey(partition)) ?? {};
    const key = JSON.stringify([isNamespace, own]);
    const group = groups.get(key) ?? { partitions: [], filter: { ...filter, ...own } };
    group.partitions.push(partition);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Memories of namespaces may be copies from an older store with the date they had there; all others arrive as they are created. */
async function newestOf(
  { memories }: Tables,
  { partitions, filter }: Group,
  isPinned: boolean,
  page: { limit: number; now: Date },
): Promise<Memory[]> {
  if (partitions[0]?.kind === 'namespace') return memories.newest(partitions, { ...filter, isPinned }, page);
  const listed = await memories.list(partitions, { ...filter, isPinned }, { ...page, before: undefined });
  return listed.map(({ memory }) => memory);
}
