import type { MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { recall } from '../memories/recall/recall.js';
import type { RecallInput } from '../memories/recall/search-scope.js';
import type { WantedTruth } from '../memories/recall/truth-query.js';
import { type AnyRecalled, type Choice, chooseShown } from './choose-shown.js';
import { findScreened } from './find-screened.js';
import { judge } from './judge.js';
import type { Member } from './member.js';
import { readingOf, type Wanted } from './reading.js';
import { settleOrder } from './settle-order.js';

export type { AnyRecalled } from './choose-shown.js';

export interface AnyRecall
  extends Wanted,
    WantedTruth,
    Choice,
    Pick<RecallInput, 'text' | 'embedding' | 'arms' | 'rerank' | 'embedder' | 'explain' | 'pinnedFirst' | 'signal'> {
  filter?: MemoryFilter | undefined;
}

/** Recalls over everything the caller may read, in one ranking. Copies of one statement are one result. */
export async function recallAny(engine: Engine, member: Member, input: AnyRecall): Promise<AnyRecalled[]> {
  const { limit, minScore, forModel } = input;
  const { reader, ...query } = toRecallInput(member, input);
  const find = findScreened(engine, member, query.scope, async (wanted) => {
    const found = await recall(engine, reader, { ...query, limit: wanted });
    return settleOrder(engine, reader, query, await judge(engine, reader, found, { ...input, forModel }));
  });
  return chooseShown(engine, member, { limit, minScore, forModel }, find);
}

/** Returns the recall over the partitions that the caller may read and wants, and who reads them. */
export function toRecallInput(member: Member, input: AnyRecall): RecallInput & { reader: Caller } {
  const { scopes, namespaces, onlyNamespaces, allNotes, minScore: _, forModel: __, ...rest } = input;
  const { asOf, knownAt, includeSuperseded, ...query } = rest;
  const { reader, scope, partitionFilters } = readingOf(member, { scopes, namespaces, onlyNamespaces, allNotes });
  const truth = { userId: member.userId, asOf, knownAt, includeSuperseded };
  return { ...query, reader, scope, partitionFilters, truth };
}
