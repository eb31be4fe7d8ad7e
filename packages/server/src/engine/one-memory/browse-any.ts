import type { MemoryFilter } from '../../ports/memories.js';
import type { Engine } from '../engine.js';
import { browseMemories } from '../memories/browse-memories.js';
import { type AnyRecalled, type Choice, chooseShown } from './choose-shown.js';
import { findScreened } from './find-screened.js';
import type { Member } from './member.js';
import { readingOf, type Wanted } from './reading.js';

export interface AnyBrowse extends Wanted, Omit<Choice, 'minScore'> {
  filter: MemoryFilter;
}

/** Lists what the caller may read without a query: pinned first, then newest first. Copies of one statement are one result. */
export async function browseAny(
  engine: Engine,
  member: Member,
  { filter, limit, forModel, ...wanted }: AnyBrowse,
): Promise<Omit<AnyRecalled, 'score'>[]> {
  const { reader, scope, partitionFilters } = readingOf(member, wanted);
  const find = findScreened(engine, member, scope, async (count) => {
    const memories = await browseMemories(engine, reader, { scope, filter, partitionFilters, limit: count });
    return memories.map((memory) => ({ memory, score: 0 }));
  });
  return chooseShown(engine, member, { limit, forModel }, find);
}
