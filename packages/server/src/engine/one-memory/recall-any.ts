import type { MemoryFilter } from '../../ports/memories.js';
import type { Engine } from '../engine.js';
import { recall } from '../memories/recall/recall.js';
import type { RecallInput } from '../memories/recall/search-scope.js';
import { type AnyRecalled, type Choice, chooseShown } from './choose-shown.js';
import { findScreened } from './find-screened.js';
import type { Member } from './member.js';
import { readingOf, type Wanted } from './reading.js';

export type { AnyRecalled } from './choose-shown.js';

export interface AnyRecall
  extends Wanted,
    Choice,
    Pick<RecallInput, 'text' | 'embedding' | 'arms' | 'explain' | 'pinnedFirst' | 'signal'> {
  filter?: MemoryFilter | undefined;
}

/** Recalls over everything the caller may read, in one ranking. Copies of one statement are one result. */
export async function recallAny(engine: Engine, member: Member, input: AnyRecall): Promise<AnyRecalled[]> {
  const { scopes, namespaces, onlyNamespaces, allNotes, limit, minScore, forModel, ...query } = input;
  const { reader, scope, partitionFilters } = readingOf(member, { scopes, namespaces, onlyNamespaces, allNotes });
  const find = findScreened(engine, member, scope, (wanted) =>
    recall(engine, reader, { ...query, scope, partitionFilters, limit: wanted }),
  );
  return chooseShown(engine, member, { limit, minScore, forModel }, find);
}
