import type { MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { recall } from '../memories/recall/recall.js';
import type { Recalled } from '../memories/recall/recalled.js';
import type { RecallInput } from '../memories/recall/search-scope.js';
import type { WantedTruth } from '../memories/recall/truth-query.js';
import { type AnyRecalled, type Choice, chooseShown } from './choose-shown.js';
import { hasOpenClaims, withDisputes } from './find-disputes.js';
import { findScreened } from './find-screened.js';
import { judge, shownToModel } from './judge.js';
import type { Member } from './member.js';
import { withOwnAnswersFirst } from './own-answers.js';
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

/** How many memories of the user are compared with what somebody claims who is not trusted. */
const compared = 20;

/** Adds the best memories that the user wrote: however many claims match better, they do not keep out what contradicts them. */
async function withOwn(
  engine: Engine,
  reader: Caller,
  query: RecallInput,
  found: readonly Recalled[],
): Promise<readonly Recalled[]> {
  const { userId } = reader;
  if (userId === '' || query.filter?.author !== undefined || query.filter?.notAuthor !== undefined) return found;
  const own = await recall(engine, reader, { ...query, filter: { ...query.filter, author: userId }, limit: compared });
  const known = new Set(found.map(({ memory }) => memory.id));
  return [...found, ...own.filter(({ memory }) => !known.has(memory.id))];
}

/** Recalls over everything the caller may read, in one ranking. Copies of one statement are one result. */
export async function recallAny(engine: Engine, member: Member, input: AnyRecall): Promise<AnyRecalled[]> {
  const { limit, minScore, forModel } = input;
  const { reader, ...query } = toRecallInput(member, input);
  const say = (text: string, id: string) => (forModel ? shownToModel(engine, reader, id, text) : text);
  const settle = async (found: readonly Recalled[]) =>
    withDisputes(member, await judge(engine, reader, found, { ...input, forModel }), say);
  const find = findScreened(engine, member, query.scope, async (wanted) => {
    const found = await recall(engine, reader, { ...query, limit: wanted });
    let judged = await settle(found);
    if (hasOpenClaims(member, judged)) judged = await settle(await withOwn(engine, reader, query, found));
    const settled = await settleOrder(engine, reader, query, judged);
    return withOwnAnswersFirst(member, input.text, settled);
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
