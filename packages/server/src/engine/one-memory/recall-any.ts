import type { MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { recall } from '../memories/recall/recall.js';
import type { RecallInput } from '../memories/recall/search-scope.js';
import type { WantedTruth } from '../memories/recall/truth-query.js';
import { type AnyRecalled, type Choice, chooseShown } from './choose-shown.js';
import { hasOpenClaims, withDisputes } from './find-disputes.js';
import { findScreened } from './find-screened.js';
import { judge, shownToModel } from './judge.js';
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

/** How many memories are compared if somebody who is not trusted claims something about the user. */
const widest = 40;

/** Recalls over everything the caller may read, in one ranking. Copies of one statement are one result. */
export async function recallAny(engine: Engine, member: Member, input: AnyRecall): Promise<AnyRecalled[]> {
  const { limit, minScore, forModel } = input;
  const { reader, ...query } = toRecallInput(member, input);
  const say = (text: string, id: string) => (forModel ? shownToModel(engine, reader, id, text) : text);
  const findJudged = async (wanted: number) => {
    const found = await recall(engine, reader, { ...query, limit: wanted });
    return withDisputes(member, await judge(engine, reader, found, { ...input, forModel }), say);
  };
  const find = findScreened(engine, member, query.scope, async (wanted) => {
    const judged = await findJudged(wanted);
    // What contradicts a claim may match the query less than the claim does.
    const isWider = wanted < widest && hasOpenClaims(member, judged);
    return settleOrder(engine, reader, query, isWider ? await findJudged(widest) : judged);
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
